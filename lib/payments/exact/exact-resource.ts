import type { Address, Hex } from "viem";
import { z } from "zod";
import { hexField } from "@/lib/base/response-fields";
import type { ExactRow } from "./record-exact";

/**
 * What a seller of the scheme `exact` takes. The value is left out, because the client knows the price that it asked
 * for.
 */
export const ExactResource = z
  .object({
    public: z
      .literal(true)
      .meta({ description: "Always `true`: anyone can see this payment and its amount on chain." }),
    pay_to: hexField(20, "The seller, the only one who gets it."),
    one_time_address: hexField(20, "The address that authorizes the seller: `from` of the authorization."),
    valid_after: z.literal(0).meta({ description: "`validAfter` of the authorization." }),
    valid_before: z.number().meta({
      description:
        "Until when the seller may take it, in Unix seconds. From then on it goes back to the owner's wallet.",
      wire: { type: "integer" },
    }),
    nonce: hexField(32, "`nonce` of the authorization."),
    signature: z.templateLiteral(["0x", z.string()]).meta({
      description: "The signature of `TransferWithAuthorization` (EIP-3009) over the price.",
      wire: { type: "string", pattern: "^0x[0-9a-f]{130}$" },
    }),
    status: z.enum(["open", "taken", "returned", "void"]).meta({
      description:
        "`open` until `valid_before`, and until a final block shows what became of it: `taken` by the seller, `returned` to the owner's wallet, or `void` because the payment failed.",
    }),
  })
  .meta({
    id: "ExactAuthorization",
    description: "What a seller of the x402 scheme `exact` takes from a one-time address, once.",
  });

/** A payment to an `exact` seller, with what the seller takes. */
interface ExactView {
  row: { recipientAddress: Address; paymentId: Hex | null };
}

/** Serializes what a seller takes. */
export function toExactResource({ row }: ExactView, exact: ExactRow): z.infer<typeof ExactResource> {
  return {
    public: true,
    pay_to: exact.seller,
    one_time_address: row.recipientAddress,
    valid_after: 0,
    valid_before: exact.validBefore.getTime() / 1000,
    nonce: row.paymentId as Hex,
    signature: exact.signature,
    status: exact.status,
  };
}
