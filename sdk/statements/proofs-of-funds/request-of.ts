import type { Address, Hex } from "viem";
import { parseAmount } from "@/lib/base/money";
import {
  CHALLENGE_LENGTH,
  isPurpose,
  isRoundMinimum,
  isVerifierName,
  LONGEST_PROOF_LIFE,
} from "@/lib/ledger/funds/funds-statement";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { timeText } from "../../api/check-input";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Context } from "../../context/context";

/** What a proof of funds shows, and to whom. */
export interface ProofOfFundsInput {
  /** Decimal string: 1, 2 or 5 times a power of ten, such as "5000". */
  atLeast: string;
  /** The verifier's name, as the verifier will compare it: one line of up to 120 bytes. */
  for: string;
  /** What the proof is for: one line of up to 280 bytes. */
  purpose?: string | undefined;
  /** When it expires, at most 90 days from now. Default: 7 days. */
  expires?: Date | string | undefined;
  /** 32 hex digits that the verifier gave. Default: random. */
  challenge?: string | undefined;
  /** Default: `USDG`. */
  asset?: string | undefined;
}

/** The same, validated and in the ledger's terms. */
export interface FundsRequestInUnits {
  asset: Asset;
  /** Address of the asset, lower case. */
  token: Address;
  minimum: bigint;
  verifier: string;
  purpose: string;
  /** Unix seconds. */
  expires: bigint;
  /** Undefined for a random challenge. */
  challenge: Hex | undefined;
}

const DEFAULT_LIFE = 7n * 86_400n;

const refuse = (param: keyof ProofOfFundsInput, message: string) =>
  new HalcyonError("invalid_request", message, { param });

function expiryOf(expires: ProofOfFundsInput["expires"], now: Date): bigint {
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  const text = timeText(expires);
  const until = text === undefined ? seconds + DEFAULT_LIFE : BigInt(Math.floor(Date.parse(text) / 1000));
  if (until > seconds && until <= seconds + LONGEST_PROOF_LIFE) return until;
  throw refuse("expires", "A proof of funds ends in the future, and at most 90 days from now.");
}

function challengeOf(text: string | undefined): Hex | undefined {
  if (text === undefined) return undefined;
  const digits = text.trim().toLowerCase().replace(/^0x/, "");
  if (new RegExp(`^[0-9a-f]{${2 * CHALLENGE_LENGTH}}$`).test(digits)) return `0x${digits}`;
  throw refuse("challenge", "A challenge is 32 hex digits, as the verifier gave them.");
}

/**
 * Validates what a proof is to show. Nothing here depends on what the account holds.
 *
 * @throws HalcyonError `invalid_request` naming the field
 */
export async function requestOf(context: Context, input: ProofOfFundsInput, now: Date): Promise<FundsRequestInUnits> {
  const [verifier, purpose] = [input.for, input.purpose ?? ""].map((text) => text.normalize("NFC").trim()) as [
    string,
    string,
  ];
  if (!isVerifierName(verifier)) {
    throw refuse("for", "Name the verifier in one line of up to 120 bytes, without invisible characters.");
  }
  if (!isPurpose(purpose)) {
    throw refuse("purpose", "A purpose is one line of up to 280 bytes, without invisible characters.");
  }
  const [expires, challenge] = [expiryOf(input.expires, now), challengeOf(input.challenge)];
  const asset = await context.asset(input.asset);
  const minimum = parseAmount(input.atLeast, asset.decimals);
  if (!isRoundMinimum(minimum)) {
    throw refuse(
      "atLeast",
      "A proof of funds shows 1, 2 or 5 times a power of ten, such as 5000. Otherwise several would add up to your balance.",
    );
  }
  return { asset, token: lowerCase(asset.address), minimum, verifier, purpose, expires, challenge };
}
