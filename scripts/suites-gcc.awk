# The directives of one test of GCC's suite: prints `compile FLAG…` or `run FLAG…`, or
# `aside REASON`. Without `dg-do`, what is done with it is the value of `kind`.
#
# A directive may be for some targets only; we have x86-64 and know a few properties that
# tests ask for.

function aside(reason) {
    if (why == "") why = reason
}

# Whether a selector such as `{ target { i?86-*-* x86_64-*-* } }` is for this machine.
function selects(text) {
    if (text !~ /target|[a-z0-9_?*]+-\*-/) return 1
    if (text ~ /! *(lp64|x86_64|int128)/) return 0
    return text ~ /x86_64-|\*-\*-\*|\*-\*-linux|lp64|int32plus|size32plus|int128/
}

# The text between the first pair of quotes, and what is behind it.
function quoted(text) {
    if (!match(text, /"[^"]*"/)) return ""
    rest = substr(text, RSTART + RLENGTH)
    return substr(text, RSTART + 1, RLENGTH - 2)
}

function add(words,    list, count, i) {
    count = split(words, list, /[ \t]+/)
    for (i = 1; i <= count; i++)
        if (list[i] != "" && list[i] !~ /^-(O.*|W.*|w|g.*|pedantic.*|fdump.*|fdiagnostics.*|fopt-info.*|fstack-usage|fcallgraph-info.*|-?save-temps.*|ftest-coverage|fprofile.*|-?coverage)$/)
            flags = flags " " list[i]
}

BEGIN {
    split("alloca indirect_calls int32plus size20plus size32plus ptr32plus lp64 int128 label_values indirect_jumps " \
        "stdint_types stdint_types_mbig_endian long_neq_int double64 double64plus inf " \
        "untyped_assembly return_address string_merging freorder fopenmp " \
        "run_expensive_tests large_double signal mmap longdouble128 c99_runtime " \
        "int32 longlong64 fileio unwrapped trampolines dfp", names, " ")
    for (i in names) known[names[i]] = 1
}

/\{[ \t]*dg-do[ \t]/ {
    text = $0
    sub(/.*dg-do[ \t]+/, "", text)
    if (text ~ /^(preprocess|link)/) aside("is not compiled and run by itself")
    kind = text ~ /^run/ ? "run" : "compile"
    sub(/^[a-z]+/, "", text)
    if (!selects(text)) aside("needs another target")
}

/\{[ \t]*dg-require-effective-target[ \t]/ {
    text = $0
    sub(/.*dg-require-effective-target[ \t]+/, "", text)
    split(text, property, /[ \t}]+/)
    if (!(property[1] in known)) aside("needs " property[1])
}

/\{[ \t]*dg-require-(alias|weak|ifunc|profiling|named-sections|visibility|linker|iconv|fork)/ {
    if ($0 !~ /alias|weak|visibility|fork/) aside("needs what a linker or library may not have")
}

/\{[ \t]*dg-(skip-if|xfail-if)[ \t]/ {
    text = $0
    quoted(text)
    if (rest ~ /x86_64-|i\?86-|\*-\*-\*|\*-\*-linux/ && rest !~ /x32|"-O|"-f|"-m/)
        aside("is skipped or expected to fail here")
}

/\{[ \t]*dg-error[ \t]/ { aside("is to be rejected") }
/\{[ \t]*dg-additional-(sources|files)[ \t]/ { aside("has several files") }

/\{[ \t]*dg-(options|additional-options)[ \t]/ {
    text = $0
    words = quoted(text)
    if (selects(rest)) add(words)
}

END { print why == "" ? kind flags : "aside " why }
