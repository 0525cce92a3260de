//! Compiles the runtime of instrumented seeds for this machine, so that profiling
//! a seed need not: that would cost as much as half a seed.

fn main() {
    println!("cargo::rerun-if-changed=runtime/mestra_rt.c");
    let objects = cc::Build::new()
        .file("runtime/mestra_rt.c")
        // Position-independent, so that it links into any executable.
        .pic(true)
        .opt_level(1)
        .debug(false)
        .compile_intermediates();
    let object = objects.first().expect("one file gives one object");
    let output = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let target = std::path::Path::new(&output).join("mestra_rt.o");
    std::fs::copy(object, target).expect("the output directory can be written");
}
