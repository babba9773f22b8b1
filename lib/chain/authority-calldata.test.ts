import { decodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { AuthorityDocumentSchema } from "@/lib/ledger/authority/authority-documents";
import { inLowerCase } from "@/lib/ledger/ledger-events";
import { ledgerAbi as abi } from "./abi/ledger";
import { authorityCalldata } from "./authority-calldata";

const at = (byte: string, length = 20) => `0x${byte.repeat(length)}` as const;
const [a, b, commitment, signature] = [at("a1"), at("b2"), at("01", 32), at("5e", 65)];
const tail = { deadline: "9", signature };

describe("the call of a document of authority", () => {
  it.each([
    [
      { kind: "set_payment_key", account: a, payment_key: b, payment_key_until: "7", nonce: "1" },
      "setPaymentKey",
      [a, b, 7n, 9n, signature],
    ],
    [{ kind: "set_guarded", account: a, guarded: true, nonce: "1" }, "setGuarded", [a, true, 9n, signature]],
    [
      { kind: "abandon", account: a, asset: b, old_available: commitment, nonce: "1" },
      "abandon",
      [a, b, 9n, signature],
    ],
    [
      {
        kind: "set_policy",
        account: a,
        limited: true,
        recipients_root: commitment,
        document_hash: commitment,
        assets: [b],
        commitments: [commitment],
        policy_version: "3",
      },
      "setPolicy",
      [
        {
          account: a,
          limited: true,
          recipientsRoot: commitment,
          documentHash: commitment,
          assets: [b],
          commitments: [BigInt(commitment)],
          deadline: 9n,
        },
        signature,
      ],
    ],
    [
      { kind: "set_agent_signer", owner: a, agents: [b], signers: [a], policy_versions: ["3"], until: "8" },
      "setAgentSigner",
      [{ owner: a, agents: [b], signers: [a], until: 8n, deadline: 9n }, signature],
    ],
  ] as const)("says what the document says: $0.kind", (fields, functionName, args) => {
    const document = AuthorityDocumentSchema.parse({ ...fields, ...tail });
    expect(inLowerCase(decodeFunctionData({ abi, data: authorityCalldata(document) }))).toEqual({ functionName, args });
  });
});
