"use client";

/** Ends the session on the server and leaves for the landing page. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
    await fetch("/api/auth/signout", { method: "POST", body: new URLSearchParams({ csrfToken, json: "true" }) });
    location.assign("/");
  };
}
