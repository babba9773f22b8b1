import { z } from "zod";
import type { AboveZero } from "./read-balances";
import type { ProvenBalances } from "./read-proven-balances";

const ASSET = z.enum(["USDG", "ETH"]).meta({ description: "Symbol of the asset." });

/**
 * The response of the balances route: amounts if the request carried a decryption proof, otherwise only whether each
 * balance is above zero.
 */
export const BalancesResource = z
  .union([
    z
      .object({
        balances: z
          .array(
            z.object({
              asset: ASSET,
              amount: z.string().meta({ description: "The amount, as a decimal string.", examples: ["12.5"] }),
            }),
          )
          .meta({ description: "One entry per asset." }),
        undecrypted_notes: z.int().meta({
          description:
            "Number of received payments that the proof leaves out. Their amounts are missing from `balances`.",
        }),
      })
      .meta({ id: "ProvenBalances", description: "Balances, with a `decryption_proof`." }),
    z
      .object({
        balances: z
          .array(
            z.object({
              asset: ASSET,
              above_zero: z.boolean().meta({ description: "Whether the balance is more than zero." }),
            }),
          )
          .meta({ description: "One entry per asset." }),
      })
      .meta({ id: "BalancesAboveZero", description: "Balances without a `decryption_proof`: no amounts." }),
  ])
  .meta({ id: "Balances", description: "One entry per asset the account has ever held." });

/** Serializes balances. */
export function toBalancesResource(held: AboveZero | ProvenBalances): z.infer<typeof BalancesResource> {
  if ("undecrypted_notes" in held) {
    const balances = held.balances.map(({ asset, amount }) => ({ asset, amount }));
    return { balances, undecrypted_notes: held.undecrypted_notes };
  }
  return { balances: held.balances.map(({ asset, above_zero }) => ({ asset, above_zero })) };
}
