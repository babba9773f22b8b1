const hexOf = (bytes: number) => `0x${"ab".repeat(bytes)}`;

/** A policy in the form in which an owner's client signs it, with bytes that are no signature. */
export const UNSIGNED_POLICY = {
  document: {
    ...{ kind: "set_policy", account: hexOf(20), limited: true, recipients_root: hexOf(32), document_hash: hexOf(32) },
    ...{ assets: [], commitments: [], policy_version: "0", signature: hexOf(65) },
    deadline: String(Math.floor(Date.now() / 1000) + 7_200),
  },
  salt: hexOf(32),
  resolved: [],
};
