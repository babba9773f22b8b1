import { HalcyonError } from "../api/errors";
import type { VerifiedProofOfFunds } from "../statements/proofs-of-funds/check-proof-of-funds";
import type { MadeProofOfFunds } from "../statements/proofs-of-funds/create-proof-of-funds";
import type { ProofOfFundsPreview } from "../statements/proofs-of-funds/preview-proof-of-funds";
import type { ProofOfFundsInput } from "../statements/proofs-of-funds/request-of";
import { amountText } from "./amount-option";
import { expiryOf } from "./option-values";
import { fields, table, time } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

interface Options extends ProofOfFundsInput {
  yes?: boolean;
  again?: boolean;
}

function showPreview({ shown, needs_again, ...preview }: ProofOfFundsPreview): string {
  const { network, account, at_least, asset, verifier, purpose, challenge, expires_at } = preview;
  return [
    "This would be proved, and anyone with the proof can see all of it:",
    "",
    fields({
      network,
      account,
      at_least: `${at_least} ${asset}`,
      verifier,
      purpose: purpose || "-",
      challenge: challenge ?? "(random)",
      expires_at: time(expires_at),
      block: "(the newest)",
    }),
    "",
    "Shown so far:",
    table(
      ["verifier", "at least", "asked"],
      shown.map((each) => [each.verifier, each.at_least && `${each.at_least} ${each.asset}`, time(each.asked_at)]),
      "nothing",
    ),
    "",
    ...(needs_again
      ? ["This verifier saw less in the last 30 days, and now asks for more. Several proofs narrow down your balance."]
      : []),
    `Nothing is proved yet. Run the command again with --yes${needs_again ? " --again" : ""}.`,
  ].join("\n");
}

function showProven({ block_at, expires_at, still, checked_block, block, ...proven }: VerifiedProofOfFunds): string {
  const { at_least, asset, purpose, ...rest } = proven;
  return fields({
    at_least: `${at_least} ${asset}`,
    ...rest,
    purpose: purpose || "-",
    expires_at: time(expires_at),
    made_at: `block ${block}, ${time(block_at)}`,
    standing: still ? `still so at block ${checked_block}` : `was so at block ${block}; money has moved since`,
  });
}

function isMade(result: MadeProofOfFunds | ProofOfFundsPreview): result is MadeProofOfFunds {
  return "url" in result;
}

/** `proof-of-funds`, `verify-proof-of-funds`. */
export const proofOfFundsCommands: AddCommand = (program, reports) => {
  const create = withExamples(
    program
      .command("proof-of-funds")
      .description("prove to one verifier that the account holds at least a sum (needs the wallet key)")
      .requiredOption("--at-least <amount>", "1, 2 or 5 times a power of ten, such as 5000", amountText)
      .requiredOption("--for <name>", "the verifier's name; the proof names it")
      .option("--purpose <text>", "what it is for; the proof has it")
      .option("--expires <time>", "until when it is good: 7d, 12h or a time, at most 90 days", expiryOf)
      .option("--challenge <hex>", "32 hex digits that the verifier gave")
      .option("--asset <asset>", "asset", "USDG")
      .option("--yes", "prove it; without this, only what would be proved is shown")
      .option("--again", "although this verifier saw less in the last 30 days"),
    "proof-of-funds --at-least 5000 --for Northbank --purpose Lease --expires 7d",
    "proof-of-funds --at-least 5000 --for Northbank --yes",
  );
  create.action(() =>
    reports.withClient<MadeProofOfFunds | ProofOfFundsPreview>(
      create,
      async ({ proofsOfFunds }) => {
        const { yes, again, ...options } = create.opts<Options>();
        const { atLeast, purpose, expires, challenge, asset } = options;
        const input = { atLeast, for: options.for, purpose, expires, challenge, asset };
        if (yes) return proofsOfFunds.create({ ...input, again });
        if (again) throw new HalcyonError("invalid_request", "--again goes with --yes.");
        return proofsOfFunds.preview(input);
      },
      (result) =>
        isMade(result)
          ? `${result.url}\n\nAnyone with this link sees what it proves. You can't take it back; it ends when it expires.`
          : showPreview(result),
    ),
  );

  const verify = withExamples(
    program
      .command("verify-proof-of-funds")
      .description("check a proof of funds, or a link to one, against the chain; needs no key")
      .argument("<proof>", "hcf1_…, or a link that ends in a proof")
      .option("--for <name>", "your name: refuses a proof that was made for someone else")
      .option("--challenge <hex>", "the challenge you gave: refuses a proof with another"),
    "verify-proof-of-funds http://localhost:3000/proof-of-funds#hcf1_…",
    "verify-proof-of-funds hcf1_… --for Northbank",
  );
  verify.action((text: string) =>
    reports.withClient(verify, (client) => client.proofsOfFunds.verify(text, verify.opts()), showProven),
  );
};
