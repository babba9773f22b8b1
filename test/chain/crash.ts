/**
 * Where the product dies in this process, until a test sets it back: after its commit and before it sends
 * (`beforeBroadcast`), or with an exception `at` a step of making payments. dying.ts has the product obey.
 */
export const crash: {
  beforeBroadcast: boolean;
  at: "" | "before" | "recorded" | "committed";
  /** How often payments were recorded, each time with a proof. */
  proofs: number;
} = { beforeBroadcast: false, at: "", proofs: 0 };
