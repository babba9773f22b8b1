import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import { CHAIN_ID, NETWORKS, type Network } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { fundsSignals, type ProofOfFunds } from "@/lib/ledger/funds/proof-of-funds";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Prover } from "@/lib/prover/prover";
import { CallAborted } from "../../api/call-aborted";
import { ChainUnreachable, HalcyonError } from "../../api/errors";
import type { NetworkInfo } from "../../api/network-info";
import type { Chain } from "../../chain/chain";

/** The contents of a proof of funds that is valid and matches the chain. Addresses in lower case. */
export interface VerifiedProofOfFunds {
  network: Network;
  account: Address;
  /** Decimal string. */
  at_least: string;
  asset: string;
  /** The verifier it is for. If that is not you, someone forwarded it. */
  verifier: string;
  purpose: string;
  /** 32 hex digits. */
  challenge: string;
  /** ISO 8601, UTC. */
  expires_at: string;
  /**
   * True if the account still holds the sum at `checked_block`. False if it held it at `block` and has moved money
   * since.
   */
  still: boolean;
  checked_block: string;
  block: string;
  /** The time of that block: ISO 8601, UTC. */
  block_at: string;
}

/** The properties of a network that are needed to check a proof of funds. */
export type FundsNetwork = Pick<NetworkInfo, "network" | "chainId" | "ledger" | "assets">;

/** What the verifier expects of the proof. */
export interface ExpectedProof {
  /** Your own name, which must be in the proof. */
  for?: string | undefined;
  /** The challenge that you gave. */
  challenge?: string | undefined;
}

const refuse = (message: string) => new HalcyonError("invalid_request", message);
const instant = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString();

/**
 * Returns the network of a proof.
 *
 * @throws HalcyonError `invalid_request` for a chain that the service does not use
 */
export function networkOfProof({ chainId }: Pick<ProofOfFunds, "chainId">): Network {
  const network = NETWORKS.find((name) => CHAIN_ID[name] === chainId);
  if (network) return network;
  throw refuse("This proof is of a chain that this service does not use.");
}

/**
 * Reports whether the chain shows at a block what the proof refers to: unspent notes, this available balance, and at
 * least this deposited money.
 */
async function holdsAt({ client, ledger }: Chain, funds: ProofOfFunds, blockNumber: bigint): Promise<boolean> {
  const contract = { address: ledger, abi: ledgerAbi, blockNumber } as const;
  const { account, asset, notes } = funds;
  const [available, deposited, statuses] = await Promise.all([
    client.readContract({ ...contract, functionName: "availableOf", args: [account, asset] }),
    client.readContract({ ...contract, functionName: "depositedOf", args: [account, asset] }),
    Promise.all(
      notes.map((note) =>
        client.readContract({ ...contract, functionName: "noteStatus", args: [account, asset, note] }),
      ),
    ),
  ]);
  const isOpen = (status: number) => status === 1;
  return (
    readAvailableCommitment(available) === funds.available && deposited >= funds.deposited && statuses.every(isOpen)
  );
}

/** Checks the same at the proof's own block, whose state only archive nodes keep. */
async function heldThen(chain: Chain, funds: ProofOfFunds): Promise<boolean> {
  try {
    return await holdsAt(chain, funds, funds.block);
  } catch (error) {
    if (error instanceof ChainUnreachable || error instanceof CallAborted) throw error;
    throw new HalcyonError(
      "unavailable",
      `The account has moved money since block ${funds.block}, and the chain's node does not keep what was then. ` +
        "Ask for a new proof, or check it over a node with an archive.",
    );
  }
}

function checkExpected(funds: ProofOfFunds, expected: ExpectedProof): void {
  const name = expected.for?.normalize("NFC").trim();
  if (name !== undefined && name !== funds.verifier) {
    throw refuse(`This proof was made for ${funds.verifier}. Someone passed it on.`);
  }
  const challenge = expected.challenge?.trim().toLowerCase().replace(/^0x/, "");
  if (challenge !== undefined && `0x${challenge}` !== funds.challenge) {
    throw refuse("This proof has another challenge than yours.");
  }
}

/**
 * Checks a proof of funds: first the proof itself, then the chain at its newest block, and if the account has moved
 * money since, at the proof's own block.
 *
 * @param verify checks a Groth16 proof
 * @param now by the verifier's own clock
 * @throws HalcyonError `invalid_request`: invalid, the message says why; `unavailable`: the chain could not be read
 */
export async function checkProofOfFunds(
  funds: ProofOfFunds,
  network: FundsNetwork,
  chain: Chain,
  verify: Prover["verify"],
  expected: ExpectedProof = {},
  now = Date.now(),
): Promise<VerifiedProofOfFunds> {
  if (funds.chainId !== network.chainId) {
    throw refuse(`This proof is of the ${networkOfProof(funds)} network, not of ${network.network}.`);
  }
  const asset = network.assets.find(({ address }) => lowerCase(address) === funds.asset);
  if (lowerCase(network.ledger) !== funds.ledger || !asset) {
    throw refuse("This proof is of a ledger that is not this service's. It proves nothing here.");
  }
  checkExpected(funds, expected);
  const expires_at = instant(funds.expires);
  if (Number(funds.expires) * 1000 <= now) throw refuse(`This proof expired at ${expires_at}. Ask for a new one.`);
  const { client } = chain;
  const [chainId, newest] = await Promise.all([client.getChainId(), client.getBlock({ blockTag: "latest" })]);
  if (chainId !== funds.chainId) {
    throw new HalcyonError("unavailable", "The RPC address belongs to another chain. Check it and try again.");
  }
  if (!(await verify("at-least", funds.proof, fundsSignals(funds)))) {
    throw refuse("This proof does not hold. Something in it was changed.");
  }
  if (funds.block > newest.number) throw refuse("This proof names a block that the chain does not have.");
  const still = await holdsAt(chain, funds, newest.number);
  if (!still && !(await heldThen(chain, funds))) {
    throw refuse("The chain shows that the account never held what this proof is about.");
  }
  const block = await client.getBlock({ blockNumber: funds.block });
  return {
    network: network.network,
    account: funds.account,
    at_least: formatAmount(funds.minimum, asset.decimals),
    asset: asset.symbol,
    verifier: funds.verifier,
    purpose: funds.purpose,
    challenge: challengeText(funds.challenge),
    expires_at,
    still,
    checked_block: newest.number.toString(),
    block: funds.block.toString(),
    block_at: instant(block.timestamp),
  };
}

/** Formats a challenge the way people exchange it: hex digits without 0x. */
export function challengeText(challenge: Hex): string {
  return challenge.slice(2);
}
