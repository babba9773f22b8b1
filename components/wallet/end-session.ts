import type { Http } from "@/sdk/api/http";

/** Returns a token of next-auth, which its forms have to bring along. */
export async function csrfToken(http: Http): Promise<string> {
  return ((await http.send("GET", "/api/auth/csrf")).body as { csrfToken: string }).csrfToken;
}

/** Ends this browser's session on the server. */
export async function endSession(http: Http): Promise<void> {
  await http.send("POST", "/api/auth/signout", { form: { csrfToken: await csrfToken(http), json: "true" } });
}
