"use client";

import { deleteAccountNotes } from "@/components/api/browser/account-notes";
import { deleteRecords } from "@/components/api/browser/reload-store";
import { notifyTabs } from "@/components/api/browser/tabs";
import { endSession } from "@/components/wallet/end-session";
import { Http } from "@/sdk/api/http";
import { useVaultOwner } from "./vault-provider";

/**
 * Returns a function that ends the session on the server and then leaves the page, which drops everything decrypted and
 * the account's saved filters. Other tabs leave too. If the server can't be reached, the session stays and the promise
 * rejects.
 */
export function useSignOut(): () => Promise<void> {
  const { address } = useVaultOwner();
  return async () => {
    const http = new Http(location.origin);
    await endSession(http);
    deleteAccountNotes(address);
    try {
      await deleteRecords();
    } finally {
      // Each tab's vault locks and leaves, this one's too: a second navigation from here would cancel the first.
      notifyTabs({ kind: "signed-out" }, { here: true });
    }
  };
}
