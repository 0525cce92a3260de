"""Runs a program for WASI in wasmtime at a level of optimisation, with its arguments."""

import os
import signal
import sys

from wasmtime import Config, Engine, ExitTrap, Linker, Module, Store, Trap, WasiConfig

level, program, *words = sys.argv[1:]
config = Config()
config.cranelift_opt_level = level
config.cranelift_debug_verifier = True
# Programs under test have four gigabytes of addresses.
config.memory_reservation = 1 << 30
config.memory_guard_size = 1 << 16
engine = Engine(config)
linker = Linker(engine)
linker.define_wasi()
wasi = WasiConfig()
wasi.argv = ["./program", *words]
wasi.inherit_stdin()
wasi.inherit_stdout()
wasi.inherit_stderr()
store = Store(engine)
store.set_wasi(wasi)
instance = linker.instantiate(store, Module.from_file(engine, program))
try:
    instance.exports(store)["_start"](store)
except ExitTrap as ended:
    sys.exit(ended.code)
except Trap as trap:
    print(trap, file=sys.stderr)
    # Most likely the program has called abort().
    os.kill(os.getpid(), signal.SIGABRT)
