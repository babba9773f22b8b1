import type { Address, Hex } from "viem";
import { z } from "zod";
import { addressText, hexBytes } from "@/lib/ledger/prepare/document-fields";
import { PreparedPaymentSchema } from "@/lib/ledger/prepare/documents";
import { CHAIN_ID, type ChainId } from "@/lib/network";

/** The scheme of x402 that the service facilitates. */
export const SCHEME = "confidential";

/** CAIP-2 name of a network. */
export type NetworkName = `eip155:${number}`;

export const networkName = (chainId: ChainId): NetworkName => `eip155:${chainId}`;

/**
 * The body of `/x402/verify` and `/x402/settle`, as loosely as the protocol has it: what can't be facilitated is said in a
 * response of the protocol. The price that stock clients send along is not read.
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
  z.object({ mode: z.literal("prepared"), prepared: PreparedPaymentSchema }),
]);

/** A payment that the service is asked about. Lower case. */
export interface Facilitation {
  chainId: ChainId;
  asset: Address;
  payTo: Address;
  presented: z.infer<typeof Presented>;
}

/** Why the service does not facilitate a payment, as `invalidReason` and `errorReason` name it. */
export type Refusal =
  | "invalid_payload"
  | "wrong_payee"
  | "wrong_asset"
  | "payment_not_found"
  | "payment_refused"
  | "unknown_payer";

/** Reads a body; null for one of another scheme or network, or with no payment of this scheme. */
export function readFacilitation({ paymentPayload, paymentRequirements }: FacilitationInput): Facilitation | null {
  const requirements = Requirements.safeParse(paymentRequirements);
  const presented = Presented.safeParse(paymentPayload.payload);
  if (!requirements.success || !presented.success) return null;
  const { network, asset, payTo } = requirements.data;
  const chainId = network === networkName(CHAIN_ID.live) ? CHAIN_ID.live : CHAIN_ID.test;
  return { chainId, asset, payTo, presented: presented.data };
}

/** What the service found: who paid, and in which transaction if it was sent. */
export type Facilitated = { payer: Address; transaction: Hex | null } | { refusal: Refusal };
