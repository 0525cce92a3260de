# docker build -t mestra . && docker run --rm -v "$PWD:/work" mestra campaign --time 10m
FROM rust:1.95-bookworm AS build
WORKDIR /mestra
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
        clang-19 clang-format-19 csmith cvise gcc libc6-dev libclang-rt-19-dev libclang1-19 \
        libcsmith-dev tcc \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /mestra/target/release/mestra /usr/local/bin/mestra
WORKDIR /work
ENTRYPOINT ["mestra"]
