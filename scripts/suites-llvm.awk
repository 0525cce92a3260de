# The `RUN:` lines of one of clang's tests: prints `compile FLAG…` for the first of them that
# compiles for this machine, or `aside REASON`.
#
# They call clang's inner command, whose flags are not all known to the outer one: what says
# which C it is, and for which processor, is kept.

function aside(reason) {
    if (why == "") why = reason
}

# Takes the flags of a command, unless it is for another machine or language.
function take(command,    words, count, i, word, own) {
    sub(/[|;>&].*/, "", command)
    if (command !~ /%clang(_cc1|_cl)?( |$)/ || command ~ /%clang_cl/) return
    count = split(command, words, /[ \t]+/)
    for (i = 1; i <= count; i++) {
        word = words[i]
        if (word ~ /^-?-(triple|target)$/) {
            word = word "=" words[++i]
        }
        if (word ~ /^-?-(triple|target)=/) {
            if (word !~ /=x86_64/ || word ~ /windows|win32|darwin|macos|apple|scei|ps4|mingw|cygwin|x32/) {
                other = "needs another target"
                return
            }
        } else if (word == "-x") {
            if (words[++i] != "c") {
                other = "is in another language"
                return
            }
        } else if (word ~ /^-x./ && word != "-xc") {
            other = "is in another language"
            return
        } else if (word == "-target-feature" && words[i + 1] ~ /^\+/) {
            own = own " -m" substr(words[++i], 2)
        } else if (word ~ /^-(std=|D.|U.|m|f)/ && word !~ /^-f(syntax-only|diag|caret|no-caret|color|dump|sanitize|profile|coverage)/) {
            if (word !~ /^-m(llvm|link|relocation-model|thread-model|framepointer)/) own = own " " word
        }
    }
    if (!taken) flags = own
    taken = 1
}

/RUN:/ {
    line = $0
    sub(/.*RUN:/, "", line)
    command = command line
    if (sub(/\\$/, "", command)) next
    take(command)
    command = ""
}

/REQUIRES:/ && !/x86-registered-target|system-linux|asserts|native|shell/ {
    line = $0
    sub(/.*REQUIRES:[ \t]*/, "", line)
    aside("needs " line)
}

/expected-error|CHECK[A-Z-]*:.*error:/ { aside("is to be rejected") }

END {
    if (why == "" && !taken) why = other == "" ? "is not compiled by itself" : other
    print why == "" ? kind flags : "aside " why
}
