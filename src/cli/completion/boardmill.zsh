#compdef boardmill
# Completion of boardmill in zsh. To install it: boardmill completion zsh > "${fpath[1]}/_boardmill"
# Or put this line after compinit in ~/.zshrc: source <(boardmill completion zsh)

_boardmill() {
  local -a lines
  lines=("${(@f)$(boardmill --complete zsh "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  local kind=$lines[1]
  shift lines
  [[ $PREFIX == --*=* ]] && compset -P 1 '*='
  case $kind in
    files) _files ;;
    folders) _files -/ ;;
    programs) _alternative 'commands:command:_command_names -e' 'files:file:_files' ;;
    words) (($#lines)) && _describe word lines -M 'm:{a-zA-Z}={A-Za-z}' ;;
  esac
}

# At the first completion, zsh runs this file as the body of _boardmill. If the file is sourced instead, it registers the
# function.
if [[ $funcstack[1] == _boardmill ]]; then
  _boardmill "$@"
else
  compdef _boardmill boardmill
fi
