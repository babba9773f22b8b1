"use client";

import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { LinkChecker } from "@/components/documents/receipt/link-checker";
import { ProvenFunds } from "./proven-funds";

const WORDS = {
  thing: "proof",
  title: "Proof of funds",
  remedy: "Ask the account's owner for a new one.",
  placeholder: "hcf1_…",
};

/** Checks the proof of funds in the page's address, or a pasted one. */
export function FundsChecker({ networks }: { networks: readonly CheckableNetwork[] }) {
  return (
    <LinkChecker words={WORDS} check={async (text) => (await import("./check")).checkProofText(text, networks)}>
      {({ proof, network }) => <ProvenFunds proof={proof} network={network} />}
    </LinkChecker>
  );
}
