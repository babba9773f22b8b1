/** Documents the check leaves out, each with the reason. */
export const NOT_YET: Readonly<Record<string, string>> = {
  "docs/developer-rest-api.md": "the contract, whose text is given",
  "docs/decisions/": "records of their time",
};

/** Folders whose texts people read: screens, the command line, messages. */
export const SCREENS: readonly string[] = ["app", "components", "lib", "sdk"];

/** Of those, what the check leaves out, each with the reason. */
export const NOT_READ: Readonly<Record<string, string>> = {
  "lib/ledger/": "labels of keys and ciphertexts, which never change, and the protocol's own terms",
  "lib/chain/abi/": "generated",
  "lib/idempotency/begin-attempt.ts": "labels of ciphertexts, which never change",
  "lib/budget-secret/hand-in-sealed.ts": "SQL",
  "sdk/resources.ts": "generated of the routes",
};
