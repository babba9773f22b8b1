import type { Address, Hex } from "viem";
import { z } from "zod";
import { CHAIN_ID, type ChainId } from "@/lib/base/network";
import { addressText, hexBytes } from "@/lib/ledger/prepare/document-fields";
import { SignedPaymentSchema } from "@/lib/ledger/prepare/documents";

/** The x402 scheme that the service facilitates. */
export const SCHEME = "confidential";

/** CAIP-2 name of a network. */
type NetworkName = `eip155:${number}`;

export const networkName = (chainId: ChainId): NetworkName => `eip155:${chainId}`;

/**
 * The body of `/x402/verify` and `/x402/settle`, as loose as the protocol. A payment that can't be facilitated is
 * refused in a protocol response, not by validation. The price that standard clients send is ignored.
 */
export const FacilitationInput = z.looseObject({
  paymentPayload: z.looseObject({ payload: z.looseObject({}) }),
  paymentRequirements: z.looseObject({ network: z.string().max(100) }),
});
export type FacilitationInput = z.infer<typeof FacilitationInput>;

const lowerAddress = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(addressText);

const Requirements = z.object({
  scheme: z.literal(SCHEME),
  network: z.literal([networkName(CHAIN_ID.test), networkName(CHAIN_ID.live)]),
  asset: lowerAddress,
  payTo: lowerAddress,
});

const Presented = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("paid"), transaction: hexBytes(32) }),
  z.object({ mode: z.literal("client_signed"), client_signed: SignedPaymentSchema }),
]);

/** A payment to verify or settle. Addresses are in lower case. */
export interface Facilitation {
  chainId: ChainId;
  asset: Address;
  payTo: Address;
  presented: z.infer<typeof Presented>;
}

/** Why the service refuses a payment, as returned in `invalidReason` and `errorReason`. */
type RefusalReason =
  | "invalid_payload"
  | "wrong_payee"
  | "wrong_asset"
  | "payment_not_found"
  | "payment_refused"
  | "unknown_payer";

/** Reads a body. Returns null if it has another scheme or network, or no payment of this scheme. */
export function readFacilitation({ paymentPayload, paymentRequirements }: FacilitationInput): Facilitation | null {
  const requirements = Requirements.safeParse(paymentRequirements);
  const presented = Presented.safeParse(paymentPayload.payload);
  if (!requirements.success || !presented.success) return null;
  const { network, asset, payTo } = requirements.data;
  const chainId = network === networkName(CHAIN_ID.live) ? CHAIN_ID.live : CHAIN_ID.test;
  return { chainId, asset, payTo, presented: presented.data };
}

/** The result: who paid, and the transaction if the payment was sent; or why it was refused. */
export type Facilitated = { payer: Address; transaction: Hex | null } | { refusal: RefusalReason };
