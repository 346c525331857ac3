# Completion of boardmill in bash. To install it: boardmill completion bash >> ~/.bashrc

_boardmill() {
  # $2 is the word under the cursor, up to the cursor. bash also splits words at "=".
  local word=$2 before='' kind='' line
  case $word in --*=*) before=${word%%=*}= ;; esac
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -z "$kind" ]; then kind=$line; else COMPREPLY+=("$before$line"); fi
  done < <(boardmill --complete bash "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$word" 2>/dev/null)
  case $kind in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
    programs)
      compopt -o default
      case $word in '' | */*) ;; *) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;; esac
      ;;
  esac
} 2>/dev/null

complete -F _boardmill boardmill
