import { withExamples } from "./examples";
import { fields, time } from "./output";
import type { AddCommand } from "./program";

const TRANSFER = "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";

/** `receipt`, `verify-receipt`. */
export const receiptCommands: AddCommand = (program, reports) => {
  const receipt = withExamples(
    program
      .command("receipt")
      .description("prove the amount of one of your payments to whoever you give the receipt to (needs the wallet key)")
      .argument("<transfer-id>", "a confirmed transfer, sent or received"),
    `receipt ${TRANSFER}`,
  );
  receipt.action((id: string) =>
    reports.withClient(
      receipt,
      (client) => client.receipt(id),
      ({ url }) => `${url}\n\nWhoever has this link learns this amount, and no other. It cannot be taken back.`,
    ),
  );

  const verify = withExamples(
    program
      .command("verify-receipt")
      .description("check a receipt, or the link to one, with the chain; needs no key")
      .argument("<receipt>", "hcr1_…, or a link that ends in one"),
    "verify-receipt http://localhost:3000/receipt#hcr1_…",
  );
  verify.action((text: string) =>
    reports.withClient(
      verify,
      (client) => client.verifyReceipt(text),
      ({ mined_at, final, ...proven }) =>
        fields({ ...proven, mined_at: time(mined_at), final: final ? "yes" : "not yet" }),
    ),
  );
};
