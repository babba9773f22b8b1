import { type Address, decodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { expect, it } from "vitest";
import fixture from "@/contracts/test/fixtures/recipients.json";
import { fromHex } from "../crypto/bytes";
import type { Scope } from "../crypto/scope";
import vectors from "../vectors.json";
import { recipientsTree } from "./recipients-tree";

it.each(Object.entries(fixture.trees))(
  "the tree that the Solidity tests read is made of its recipients: %s",
  (_, tree) => {
    const type = "bytes32 root, address[] recipients, bytes32[] leafSalts, bytes32[] paths";
    const [root, recipients, leafSalts, paths] = decodeAbiParameters(parseAbiParameters(type), tree as Hex);
    const ref = { scope: vectors.scope as Scope, holder: fixture.account as Address, version: BigInt(fixture.version) };
    const made = recipientsTree(fromHex(fixture.policySalt), ref, recipients);
    expect(made.root).toBe(root);
    const proofs = recipients.map((recipient) => made.proofOf(recipient));
    expect(proofs.map((proof) => proof?.leafSalt)).toEqual(leafSalts);
    expect(proofs.flatMap((proof) => proof?.path ?? [])).toEqual(paths);
  },
);
