import { z } from "zod";
import { AssetInput } from "@/lib/base/inputs";

/** The body of `POST /api/faucet`. */
export const FaucetInput = z.strictObject({
  asset: AssetInput.default("USDG"),
  amount: z.string("An amount is a decimal string."),
});

export type FaucetInput = z.infer<typeof FaucetInput>;
