import type { Address, Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex, toHex } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";

const VERSION = 1;

/** Length of an agent's wallet key encrypted under its authority, in bytes. The plaintext is version (1) and key (32). */
export const ENCRYPTED_AGENT_WALLET_LENGTH = 33 + AEAD_OVERHEAD;

/** The agent whose wallet it is, by its address on one ledger. */
export interface AgentWalletRef {
  scope: Scope;
  agent: Address;
}

/** Returns the aad of both layers of encryption: chain (32) || ledger (20) || agent (20). */
export function agentWalletAad({ scope, agent }: AgentWalletRef): Uint8Array {
  return concat(bigintToBytes(BigInt(scope.chainId), 32), fromHex(scope.ledger), fromHex(agent));
}

const keyOf = (agentAuthority: Uint8Array, scope: Scope) => hkdf(agentAuthority, "agent wallet", scope);

function isKey(privateKey: Hex): boolean {
  try {
    privateKeyToAddress(privateKey);
    return true;
  } catch {
    return false; // zero, or at or above the order of secp256k1
  }
}

/**
 * Encrypts an agent's wallet key under HKDF(`a_i`, "agent wallet"), the inner layer. The service adds an outer layer
 * under its pepper, so that neither its database alone nor an agent's API key alone yields the key. The key is the
 * agent's signer on the ledger: at first the key of its own address, after `setAgentSigner` another one.
 *
 * @throws DecryptionFailed if it is not a valid private key
 */
export function encryptAgentWallet(agentAuthority: Uint8Array, ref: AgentWalletRef, privateKey: Hex): Uint8Array {
  if (!isKey(privateKey)) throw new DecryptionFailed("agent's wallet key");
  const plain = concat(Uint8Array.of(VERSION), fromHex(privateKey));
  return encrypt(keyOf(agentAuthority, ref.scope), agentWalletAad(ref), plain);
}

/**
 * Decrypts the output of `encryptAgentWallet`.
 *
 * @throws DecryptionFailed, also for another agent's wallet or if the content is not a valid private key
 */
export function decryptAgentWallet(agentAuthority: Uint8Array, ref: AgentWalletRef, encrypted: Uint8Array): Hex {
  const plain = decrypt(keyOf(agentAuthority, ref.scope), agentWalletAad(ref), encrypted, "agent's wallet key");
  const privateKey = toHex(plain.subarray(1));
  const opens = plain.length === 33 && plain[0] === VERSION && isKey(privateKey);
  plain.fill(0);
  if (!opens) throw new DecryptionFailed("agent's wallet key");
  return privateKey;
}
