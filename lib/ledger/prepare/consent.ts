import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, type Hex, hashTypedData } from "viem";
import { concat, toHex, utf8 } from "../crypto/bytes";
import type { Scope } from "../crypto/scope";

/** How long an application may act, as the wallet shows it, in milliseconds. */
export const CONNECTION_MS = { "1 hour": 3_600_000, "1 day": 86_400_000, "30 days": 2_592_000_000 } as const;
export type ConnectionTime = keyof typeof CONNECTION_MS;

/** What an owner's wallet agrees to: that an application may act for one agent for a time. */
export interface Consent {
  /** The application's name, as it gave it. */
  application: string;
  /** Where the authorization code is sent. */
  redirectUri: string;
  /** The agent's address, in lower case. */
  agent: Address;
  /** The application's access: `read`, or `read pay`. */
  access: string;
  lasts: ConnectionTime;
  /** The address at which the token is valid. */
  resource: string;
  /** SHA-256 of the access token. */
  token: Hex;
  clientId: string;
  /** The PKCE challenge, S256. */
  codeChallenge: string;
}

/**
 * Returns the message that a wallet signs to connect an application: typed data for `eth_signTypedData_v4`. Like the
 * unlock message, it has a domain of its own without `domain.chainId`; the ledger accepts nothing like it.
 */
export function consentTypedData(scope: Scope, account: Address, consent: Consent) {
  const { application, redirectUri, agent, access, lasts, resource, token, clientId, codeChallenge } = consent;
  return {
    domain: { name: "Halcyon Connection", version: "1" },
    types: {
      ConnectApplication: [
        { name: "application", type: "string" },
        { name: "sendsYouTo", type: "string" },
        { name: "access", type: "string" },
        { name: "lasts", type: "string" },
        { name: "agent", type: "address" },
        { name: "account", type: "address" },
        { name: "resource", type: "string" },
        { name: "network", type: "uint256" },
        { name: "ledger", type: "address" },
        { name: "token", type: "bytes32" },
        { name: "request", type: "bytes32" },
      ],
    },
    primaryType: "ConnectApplication",
    message: {
      application,
      sendsYouTo: redirectUri,
      access,
      lasts,
      agent,
      account,
      resource,
      network: BigInt(scope.chainId),
      ledger: scope.ledger,
      token,
      request: toHex(sha256(concat(sha256(utf8(clientId)), sha256(utf8(codeChallenge))))),
    },
  } as const;
}

/** Returns the EIP-712 digest of the message that the wallet signs. */
export function consentDigest(scope: Scope, account: Address, consent: Consent): Hex {
  return hashTypedData(consentTypedData(scope, account, consent));
}
