import type { KycProvider, KycStatus } from "@/lib/accounts/kyc/provider";

/** Names with another outcome than `verified`, so that every outcome can be tried. */
const MAGIC_NAMES: Readonly<Record<string, KycStatus>> = {
  "sandbox pending": "pending",
  "sandbox enhanced": "enhanced",
  "sandbox rejected": "unverified",
};

/** Verifies everyone immediately. For the test network and local chains. */
export const sandboxProvider: KycProvider = {
  async verify({ fullName = "" }) {
    return MAGIC_NAMES[fullName.trim().toLowerCase()] ?? "verified";
  },
};
