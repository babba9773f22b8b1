import { fields, time } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

const TRANSFER = "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";

/** `receipt`, `verify-receipt`. */
export const receiptCommands: AddCommand = (program, reports) => {
  const receipt = withExamples(
    program
      .command("receipt")
      .description("create a receipt that proves the amount of one payment (needs the wallet key)")
      .argument("<transfer-id>", "a confirmed transfer, sent or received"),
    `receipt ${TRANSFER}`,
  );
  receipt.action((id: string) =>
    reports.withClient(
      receipt,
      (client) => client.receipts.create(id),
      ({ url }) => `${url}\n\nAnyone with this link can see this amount, and no other. You can't take it back.`,
    ),
  );

  const verify = withExamples(
    program
      .command("verify-receipt")
      .description("check a receipt, or a link to one, against the chain; needs no key")
      .argument("<receipt>", "hcr1_…, or a link that ends in a receipt"),
    "verify-receipt http://localhost:3000/receipt#hcr1_…",
  );
  verify.action((text: string) =>
    reports.withClient(
      verify,
      (client) => client.receipts.verify(text),
      ({ mined_at, final, ...proven }) =>
        fields({ ...proven, mined_at: time(mined_at), final: final ? "yes" : "not yet" }),
    ),
  );
};
