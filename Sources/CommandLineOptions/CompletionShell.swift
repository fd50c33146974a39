// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Each script is a shim: it hands the words to the program and shows what comes back. What fits where
// is decided in one place, for all shells, and follows the option tables by itself.

/// A shell that completes command lines, and the script that teaches it.
public enum CompletionShell: String, Sendable, CaseIterable {
  /// GNU Bash 4 or newer.
  case bash
  /// The Z shell.
  case zsh
  /// Fish 3 or newer.
  case fish

  /// The script.
  ///
  /// - Parameters:
  ///   - program: The program's name as it is typed.
  ///   - asking: The words after the program's name that make it answer, before those of the line.
  /// - Returns: Text for `source`, or for the shell's folder of completions.
  public func script(for program: String, asking: String) -> String {
    let function = "_" + String(program.map { $0 == "-" ? "_" : $0 })
    let template =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    let parts = ["PROGRAM": program, "FUNCTION": function, "ASK": asking]
    var script = ""
    var rest = template[...]
    while let at = rest.firstIndex(of: "@") {
      let name = rest[rest.index(after: at)...].prefix { $0 != "@" }
      let part = parts[String(name)]
      script += rest[..<at] + (part ?? "@")
      rest = rest[rest.index(after: at)...].dropFirst(part == nil ? 0 : name.count + 1)
    }
    return script + rest
  }

  // Bash splits words at `=` and `:` too and replaces only what follows the last of them.
  private static let bashScript = #"""
    # Completion of @PROGRAM@ for bash; made by the program itself.
    @FUNCTION@() {
      local rest=${COMP_LINE:0:COMP_POINT} words=() word i bare
      for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        bare=${rest#"${rest%%[![:space:]]*}"}
        ((i == COMP_CWORD)) && word=$bare
        if ((i == 0)) || [[ $bare != "$rest" || -z $rest ]]; then words+=("$word")
        else words[${#words[@]} - 1]+=$word; fi
        rest=${bare#"$word"}
      done
      local typed=${words[${#words[@]} - 1]} quote= candidate help before= files=
      case $typed in
        \"* | \'*) quote=${typed:0:1}; typed=${typed:1} ;;
        *) typed=${typed//\\/} ;;
      esac
      words[${#words[@]} - 1]=$typed
      [[ -z $quote && $typed == *[=:]* ]] && before=${typed%"${typed##*[=:]}"}
      COMPREPLY=()
      while IFS= read -r candidate; do
        help=${candidate#*$'\t'}
        candidate=${candidate%%$'\t'*}
        if [[ -z $candidate ]]; then files=$help; continue; fi
        candidate=${candidate#"$before"}
        [[ $candidate == *[:=] ]] && compopt -o nospace
        if [[ -n $quote || $candidate != *[!A-Za-z0-9_./:=+,@%-]* ]]; then COMPREPLY+=("$candidate")
        else COMPREPLY+=("$(printf %q "$candidate")"); fi
      done < <(@PROGRAM@ @ASK@ "${words[@]:1}" 2>/dev/null)
      case $files in
        files) compopt -o default -o filenames; ((${#COMPREPLY[@]})) || return
          while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$typed") ;;
        folders) compopt -o filenames
          while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -d -- "$typed") ;;
      esac
    }
    complete -F @FUNCTION@ @PROGRAM@
    """#

  private static let zshScript = #"""
    #compdef @PROGRAM@
    # Completion of @PROGRAM@ for zsh; made by the program itself.
    @FUNCTION@() {
      local line files tab=$'\t'
      local -a candidates shown
      while IFS= read -r line; do
        case $line in
          ($tab*) files=${line#$tab} ;;
          (*$tab*) candidates+=("${line%%$tab*}"); shown+=("${line%%$tab*}  -- ${line#*$tab}") ;;
          (*) candidates+=("$line"); shown+=("$line") ;;
        esac
      done < <(@PROGRAM@ @ASK@ "${(@Q)words[2,CURRENT]}" 2>/dev/null)
      (($#candidates)) && compadd -M 'm:{a-zA-Z}={A-Za-z}' -l -d shown -a -- candidates
      case $files in
        (files) _files ;;
        (folders) _files -/ ;;
      esac
    }
    if [ "$funcstack[1]" = "@FUNCTION@" ]; then @FUNCTION@ "$@"; else compdef @FUNCTION@ @PROGRAM@; fi
    """#

  private static let fishScript = #"""
    # Completion of @PROGRAM@ for fish; made by the program itself.
    function _@FUNCTION@
      set -l typed (string unescape -- (commandline -ct))
      set -l before (commandline -opc)
      for line in (@PROGRAM@ @ASK@ $before[2..-1] "$typed" 2>/dev/null)
        switch $line
          case \tfiles
            __fish_complete_path "$typed"
          case \tfolders
            __fish_complete_directories "$typed"
          case '*'
            echo $line
        end
      end
    end
    complete -c @PROGRAM@ -f -a '(_@FUNCTION@)'
    """#
}
