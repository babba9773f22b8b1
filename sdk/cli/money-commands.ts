import { Option } from "commander";
import type { DryRun, HeldPayment } from "../api/resources/transfers";
import type { SettledTransfer } from "../payments/attempts/transfer-status";
import type { MakeAvailableInput } from "../payments/funding/make-available";
import type { Refund, RefundInput } from "../payments/refunds/refund-by-key";
import type { SendInput } from "../payments/send";
import type { WithdrawInput } from "../payments/withdraw";
import { amountOrZero, amountText } from "./amount-option";
import { KEY } from "./idempotency-key-option";
import { fields, table } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

function showSent(result: SettledTransfer | HeldPayment): string {
  const shown = fields({ ...result, encrypted: undefined });
  if (!("transaction_id" in result)) return shown;
  const id = result.transaction_id;
  return `${shown}\n\nAbove the agent's approval threshold: waiting for its owner, who decides with\n  halcyon pending\n  halcyon approve ${id}\n  halcyon reject ${id}`;
}

function showDryRun({ outcome, reason, rules }: DryRun): string {
  const rows = rules.map((rule) => [rule.rule, rule.outcome]);
  return `${fields({ outcome, reason })}\n\n${table(["rule", "outcome"], rows, "No policy applies to this payment.")}`;
}

/** `make-available`, `send`, `refund`, `withdraw`. */
export const paymentCommands: AddCommand = (program, reports) => {
  const makeAvailable = withExamples(
    program
      .command("make-available")
      .description("make received and deposited money available to your API keys (needs the wallet key)")
      .option("--amount <amount>", "how much to add (default: everything)", amountText)
      .addOption(
        new Option(
          "--available <amount>",
          "set the available balance to this amount; any excess goes back to your received balance",
        )
          .argParser(amountOrZero)
          .conflicts("amount"),
      )
      .option("--asset <asset>", "asset", "USDG")
      .option("--agent <name>", "make available what others paid to this agent")
      .option(...KEY),
    "make-available",
    "make-available --amount 100",
    "make-available --available 20",
  );
  makeAvailable.action(() => {
    const { idempotencyKey, ...input } = makeAvailable.opts<MakeAvailableInput & { idempotencyKey?: string }>();
    const nothing = input.available
      ? "Your available balance is already that amount."
      : "Nothing to make available: you have no received or deposited money.";
    return reports.withClient(
      makeAvailable,
      (client) => client.balances.makeAvailable(input, { idempotencyKey }),
      ({ tx_hashes, notes, amount }) =>
        tx_hashes.length === 0
          ? nothing
          : fields({
              "made available": amount === null ? "see `halcyon sync`" : `${amount} ${input.asset}`,
              "available balance": input.available && `${input.available} ${input.asset}`,
              "received payments used": notes,
              transactions: tx_hashes.join(", "),
            }),
    );
  });

  const send = withExamples(
    program
      .command("send")
      .description("send a payment from your available balance")
      .requiredOption("--to <recipient>", "@handle or 0x address")
      .requiredOption("--amount <amount>", "how much, such as 25 or 0.5", amountText)
      .option("--asset <asset>", "asset", "USDG")
      .option("--memo <text>", "text that only sender and recipient can read, up to 512 bytes")
      .option("--reference <text>", "your reference, up to 64 characters; the recipient and the service can read it")
      .option("--unique-reference", "refuse if this key has already paid with the same reference")
      .option("--payment-request <id>", "the payment request that this pays")
      .option("--binding <hex>", "32 bytes that say what it is for, encrypted into the recipient's copy")
      .option("--from <agent>", "pay from this agent, within its policy")
      .option("--public", "send a public payment, to an address without a Halcyon account")
      .option(...KEY)
      .option("--client-signed", "build and prove the payment on this machine (needs the wallet key)")
      .option("--dry-run", "check the agent's policy, rule by rule, without paying"),
    "send --to @bob --amount 25 --memo lunch",
    "send --client-signed --to @bob --amount 25",
    "send --from bot --to @bob --amount 4 --dry-run",
  );
  send.action(() => {
    const { dryRun, idempotencyKey, ...input } = send.opts<SendInput & { dryRun?: true; idempotencyKey?: string }>();
    const { clientSigned: _, ...payment } = input;
    if (dryRun) return reports.withClient(send, (client) => client.transfers.dryRun(payment), showDryRun);
    return reports.withClient(send, (client) => client.transfers.create(input, { idempotencyKey }), showSent);
  });

  const refund = withExamples(
    program
      .command("refund")
      .description("give a payment that you received back, to the account that paid it")
      .argument("<transfer>", "the id of the payment you received")
      .option("--amount <amount>", "how much (default: everything that is left; an API key alone names it)", amountText)
      .option("--memo <text>", "text that only sender and recipient can read, up to 512 bytes")
      .option("--reference <text>", "your reference, up to 64 characters; the recipient and the service can read it")
      .option(...KEY)
      .option("--client-signed", "build and prove the refund on this machine (needs the wallet key)"),
    "refund tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
    "refund tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX --amount 5",
  );
  refund.action((id: string) => {
    const { idempotencyKey, ...input } = refund.opts<RefundInput & { idempotencyKey?: string }>();
    const show = (result: Refund) =>
      result.checked
        ? showSent(result)
        : `${showSent(result)}\n\nNo one compared it with what you received: an API key alone can't read that.`;
    return reports.withClient(refund, (client) => client.transfers.refund(id, input, { idempotencyKey }), show);
  });

  const withdraw = withExamples(
    program
      .command("withdraw")
      .description("withdraw from your available balance to an address (public: anyone can see the amount)")
      .requiredOption("--to <address>", "0x address")
      .requiredOption("--amount <amount>", "how much", amountText)
      .option("--asset <asset>", "asset", "USDG")
      .option("--agent <name>", "from this agent's available balance")
      .option(...KEY),
    "withdraw --to 0x000000000000000000000000000000000000dEaD --amount 5",
  );
  withdraw.action(() => {
    const { idempotencyKey, ...input } = withdraw.opts<WithdrawInput & { idempotencyKey?: string }>();
    return reports.withClient(
      withdraw,
      (client) => client.withdrawals.create(input, { idempotencyKey }),
      (result) => fields({ ...result }),
    );
  });
};

/** `sync`, `proof`, `balances`. */
export const balanceCommands: AddCommand = (program, reports) => {
  const sync = withExamples(
    program
      .command("sync")
      .description("decrypt your balances on this machine, and sync them if they changed on chain without the service")
      .option("--asset <asset>", "asset", "USDG")
      .option("--agent <name>", "for this agent"),
    "sync",
    "sync --agent bot --asset ETH",
  );
  sync.action(() =>
    reports.withClient(
      sync,
      (client) => client.balances.decrypt(sync.opts()),
      ({ asset, total, available, notes, deposited, unreadable }) =>
        fields({
          asset,
          available: available,
          received: notes.length === 0 ? "0" : `${notes.join(" + ")}`,
          deposited: deposited,
          total,
          "not decryptable": unreadable || null,
        }),
    ),
  );

  const proof = withExamples(
    program
      .command("proof")
      .description("create a decryption proof for the balances endpoint")
      .option("--agent <name>", "for this agent"),
    "proof",
    "proof --agent bot",
  );
  proof.action(() =>
    reports.withClient(
      proof,
      (client) => client.balances.prove(proof.opts()),
      (result) => result.decryption_proof,
    ),
  );

  const balances = withExamples(
    program
      .command("balances")
      .description("call the balances endpoint: which balances are above zero, and the amounts with --proof")
      .option("--proof", "create a decryption proof first (needs the wallet key)")
      .option("--agent <name>", "balances of this agent; needs --proof"),
    "balances --proof",
    "balances --proof --agent bot --json",
  );
  balances.action(() =>
    reports.withClient(
      balances,
      (client) => {
        const { proof: prove, agent } = balances.opts<{ proof?: boolean; agent?: string }>();
        return client.balances.get({ prove, agent });
      },
      (result) => {
        const rows = result.balances.map((entry) => [
          entry.asset,
          entry.amount ?? (entry.above_zero ? "above zero" : "zero"),
        ]);
        const left = result.undecrypted_notes ? `\n${result.undecrypted_notes} received payments are not counted.` : "";
        return table(["asset", "balance"], rows, "No balances yet.") + left;
      },
    ),
  );
};
