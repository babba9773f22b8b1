import { Option } from "commander";
import type { AllocateInput } from "../allocate";
import type { DryRun, HeldPayment } from "../resources";
import type { SendInput } from "../send";
import type { SettledTransfer } from "../transfer-status";
import { withExamples } from "./examples";
import { fields, table } from "./output";
import type { AddCommand } from "./program";

/** Of whatever moves money: run again with the same key, it is the same payment. */
const KEY = ["--idempotency-key <key>", "the same key never moves money twice; it continues what was begun"] as const;

function showSent(result: SettledTransfer | HeldPayment): string {
  const shown = fields({ ...result });
  if (!("transaction_id" in result)) return shown;
  const id = result.transaction_id;
  return `${shown}\n\nOver the agent's threshold: held until it expires, for its owner to decide with\n  halcyon pending\n  halcyon approve ${id}\n  halcyon reject ${id}`;
}

function showDryRun({ outcome, reason, rules }: DryRun): string {
  const rows = rules.map((rule) => [rule.rule, rule.outcome]);
  return `${fields({ outcome, reason })}\n\n${table(["rule", "outcome"], rows, "No policy applies to this payment.")}`;
}

/** `allocate`, `send`, `withdraw`. */
export const paymentCommands: AddCommand = (program, reports) => {
  const allocate = withExamples(
    program
      .command("allocate")
      .description("move credit and received notes into the budget that API keys may spend")
      .option("--amount <amount>", "how much more; everything when left out")
      .addOption(
        new Option(
          "--budget <amount>",
          "what the budget shall be; what is taken out of it is yours alone again",
        ).conflicts("amount"),
      )
      .option("--asset <asset>", "asset", "USDG")
      .option("--agent <name>", "for this agent: what others paid to it")
      .option(...KEY),
    "allocate",
    "allocate --amount 100",
    "allocate --budget 20",
  );
  allocate.action(() => {
    const input = allocate.opts<AllocateInput>();
    const nothing = input.budget ? "The budget is that already." : "Nothing to allocate: no credit and no notes.";
    return reports.withClient(
      allocate,
      (client) => client.allocate(input),
      ({ tx_hashes, notes }) =>
        tx_hashes.length === 0
          ? nothing
          : `${fields({ allocations: tx_hashes.length, notes })}\n${tx_hashes.join("\n")}`,
    );
  });

  const send = withExamples(
    program
      .command("send")
      .description("pay somebody from the budget")
      .requiredOption("--to <recipient>", "@handle or 0x address")
      .requiredOption("--amount <amount>", "how much, such as 25 or 0.5")
      .option("--asset <asset>", "asset", "USDG")
      .option("--memo <text>", "note for sender and recipient, up to 512 bytes")
      .option("--from <agent>", "pay from this agent, within its policy")
      .option("--public", "pay in public, to recipients that are not enrolled")
      .option(...KEY)
      .option("--prepared", "build and prove the payment on this machine (needs the wallet key)")
      .option("--dry-run", "only say what the agent's policy decides, rule by rule"),
    "send --to @bob --amount 25 --memo lunch",
    "send --prepared --to @bob --amount 25",
    "send --from bot --to @bob --amount 4 --dry-run",
  );
  send.action(() => {
    const { dryRun, ...input } = send.opts<SendInput & { dryRun?: true }>();
    if (dryRun) return reports.withClient(send, (client) => client.dryRun(input), showDryRun);
    return reports.withClient(send, (client) => client.send(input), showSent);
  });

  const withdraw = withExamples(
    program
      .command("withdraw")
      .description("pay tokens out of the budget to an address, in public")
      .requiredOption("--to <address>", "0x address")
      .requiredOption("--amount <amount>", "how much")
      .option("--asset <asset>", "asset", "USDG")
      .option("--agent <name>", "out of this agent's budget")
      .option(...KEY),
    "withdraw --to 0x000000000000000000000000000000000000dEaD --amount 5",
  );
  withdraw.action(() =>
    reports.withClient(
      withdraw,
      (client) => client.withdraw(withdraw.opts()),
      (result) => fields({ ...result }),
    ),
  );
};

/** `proof`, `balances`. */
export const balanceCommands: AddCommand = (program, reports) => {
  const proof = withExamples(
    program
      .command("proof")
      .description("make a decryption proof for the balances endpoint")
      .option("--agent <name>", "of this agent"),
    "proof",
    "proof --agent bot",
  );
  proof.action(() =>
    reports.withClient(
      proof,
      (client) => client.proof(proof.opts()),
      (result) => result.decryption_proof,
    ),
  );

  const balances = withExamples(
    program
      .command("balances")
      .description("the balances endpoint: whether there is anything; amounts with --proof")
      .option("--proof", "make a decryption proof first (needs the wallet key)")
      .option("--agent <name>", "of this agent, with a proof"),
    "balances --proof",
    "balances --proof --agent bot --json",
  );
  balances.action(() =>
    reports.withClient(
      balances,
      (client) => {
        const { proof: prove, agent } = balances.opts<{ proof?: boolean; agent?: string }>();
        return client.balances({ prove, agent });
      },
      (result) => {
        const rows = result.balances.map((entry) => [
          entry.asset,
          entry.amount ?? (entry.above_zero ? "above zero" : "zero"),
        ]);
        const left = result.unopened_notes ? `\n${result.unopened_notes} notes are not counted.` : "";
        return table(["asset", "balance"], rows, "Nothing yet.") + left;
      },
    ),
  );
};
