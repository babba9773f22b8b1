"use client";

import type { CheckableNetwork } from "./checkable-network";
import { LinkChecker } from "./link-checker";
import { ProvenReceipt } from "./proven-receipt";

const WORDS = {
  thing: "receipt",
  title: "Receipt",
  remedy: "Ask the sender for the link from their dashboard.",
  placeholder: "hcr1_…",
};

/** Checks the receipt in the page's address, or a pasted one. */
export function ReceiptChecker({ networks }: { networks: readonly CheckableNetwork[] }) {
  return (
    <LinkChecker words={WORDS} check={async (text) => (await import("./check")).checkReceiptText(text, networks)}>
      {({ receipt, checkable }) => <ProvenReceipt receipt={receipt} checkable={checkable} />}
    </LinkChecker>
  );
}
