# Completion of boardmill in fish.
# To install it: boardmill completion fish > ~/.config/fish/completions/boardmill.fish

# Asks boardmill once per command line what can follow, then tests whether the answer has the kind $argv.
function __boardmill_offers
    set -l line (commandline -cp | string collect)
    if test "$line" != "$__boardmill_line"
        set -l words (commandline -opc)
        set -e words[1]
        set -l current (commandline -ct | string collect)
        set -l answer (boardmill --complete fish $words "$current" 2>/dev/null)
        set -g __boardmill_line $line
        set -g __boardmill_kind $answer[1]
        set -e answer[1]
        set -l before (string match -r -- '^--[^=]+=' $current)
        set -g __boardmill_words "$before"$answer
    end
    test "$__boardmill_kind" = $argv
end

function __boardmill_folders
    set -l current (commandline -ct | string collect)
    set -l before (string match -r -- '^--[^=]+=' $current)
    set -l folders (__fish_complete_directories (string replace -r -- '^--[^=]+=' '' $current))
    printf '%s\n' "$before"$folders
end

# If none of these conditions is true, fish completes file names.
complete -c boardmill -e
complete -c boardmill -n '__boardmill_offers words' -f -a '$__boardmill_words'
complete -c boardmill -n '__boardmill_offers folders' -f -a '(__boardmill_folders)'
complete -c boardmill -n '__boardmill_offers programs' -a '(__fish_complete_command)'
