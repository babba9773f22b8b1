import { Argument } from "commander";
import { commandTree } from "./command-tree";
import { bashCompletion, zshCompletion } from "./completion";
import { withExamples } from "./examples";
import type { AddCommand } from "./program";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion };

/** `completion bash`, `completion zsh`. */
export const completionCommands: AddCommand = (program, reports) => {
  const completion = withExamples(
    program
      .command("completion")
      .description("print a script that completes commands, options and profiles in your shell")
      .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SCRIPTS))),
    "completion bash > ~/.local/share/bash-completion/completions/halcyon",
    "completion zsh > ~/.zsh/completions/_halcyon",
  );
  completion.action((shell: keyof typeof SCRIPTS) =>
    reports.local(
      completion,
      async () => ({ script: SCRIPTS[shell](commandTree(program)) }),
      ({ script }) => script.trimEnd(),
    ),
  );
};
