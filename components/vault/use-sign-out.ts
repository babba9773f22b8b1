"use client";

import { deleteRecords } from "@/components/browser/reload-store";
import { notifyTabs } from "@/components/browser/tabs";
import { Http } from "@/sdk/api/http";

/**
 * Ends the session on the server, then leaves the page, with which everything decrypted goes; other tabs leave theirs.
 * The session stays when the server cannot be reached: the returned promise rejects.
 */
export function useSignOut(): () => Promise<void> {
  return async () => {
    const http = new Http(location.origin);
    const { body } = await http.send("GET", "/api/auth/csrf");
    const { csrfToken } = body as { csrfToken: string };
    await http.send("POST", "/api/auth/signout", { form: { csrfToken, json: "true" } });
    await deleteRecords();
    notifyTabs({ kind: "signed-out" });
    location.assign("/sign-in");
  };
}
