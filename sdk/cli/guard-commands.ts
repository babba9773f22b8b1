import { fields } from "./output";
import { changedPolicyFields, policyOptions } from "./policy-options";
import { policyText } from "./policy-text";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

/** `guard`, `guard on`, `guard off`. */
export const guardCommands: AddCommand = (program, reports) => {
  const guard = withExamples(
    program
      .command("guard")
      .description("whether only the wallet changes policies and moves money between you and your agents"),
    "guard",
    "guard on",
  );
  guard.action(() =>
    reports.withClient(
      guard,
      (client) => client.security.guard(),
      ({ guarded, limited }) =>
        fields({ guard: guarded ? "on" : "off", limits: limited ? "set (see: halcyon limits)" : "none" }),
    ),
  );
  for (const [word, on, says] of [
    ["on", true, "let only the wallet change policies and move money between you and your agents"],
    ["off", false, "let API keys of the account do that too"],
  ] as const) {
    const command = withExamples(guard.command(word).description(says), `guard ${word}`);
    command.action(() =>
      reports.withClient(
        command,
        (client) => client.security.setGuard(on),
        ({ guarded, ...done }) => fields({ guard: guarded ? "on" : "off", ...done }),
      ),
    );
  }
};

/** `limits`, `limits set`, `limits remove`. */
export const limitsCommands: AddCommand = (program, reports) => {
  const limits = withExamples(
    program
      .command("limits")
      .description("the limits of your keys: what they may pay from your own balance without your wallet"),
    "limits",
    "limits set --daily-limit 500 --per-transaction-limit 100 --threshold 100 --recipients '@bob,@carol'",
  );
  limits.action(() =>
    reports.withClient(
      limits,
      (client) => client.limits.get(),
      (policy) => (policy ? policyText(policy, false) : "No limits: your keys pay from all of your available balance."),
    ),
  );

  const set = withExamples(
    policyOptions(
      limits.command("set").description("set the limits you name; turns Guard on; needs the wallet key"),
      "--file <file>",
    ),
    "limits set --daily-limit 500 --per-transaction-limit 100 --threshold 100 --recipients '@bob,@carol'",
  );
  set.action(() =>
    reports.withClient(
      set,
      async (client) => client.limits.set(await changedPolicyFields(set.opts())),
      (policy) => policyText(policy, false),
    ),
  );

  const remove = withExamples(
    limits.command("remove").description("remove the limits; your keys pay from all of your available balance again"),
    "limits remove",
  );
  remove.action(() =>
    reports.withClient(
      remove,
      (client) => client.limits.clear(),
      (result) => `${fields({ ...result })}\n\nGuard stays on. Turn it off with: halcyon guard off`,
    ),
  );
};
