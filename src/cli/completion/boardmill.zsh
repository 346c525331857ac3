#compdef boardmill
# Completion of boardmill in zsh: boardmill completion zsh > "${fpath[1]}/_boardmill"
# or, after compinit: source <(boardmill completion zsh)

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

# zsh runs this file as the function the first time that it is asked, or it was sourced.
if [[ $funcstack[1] == _boardmill ]]; then
  _boardmill "$@"
else
  compdef _boardmill boardmill
fi
