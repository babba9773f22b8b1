import { createHash } from "node:crypto";
import type { NextAuthOptions } from "next-auth";
import { encode } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { clientAddressOf } from "@/lib/base/client-address";
import { acceptedNextAuthSecrets, env } from "@/lib/base/env";
import { log } from "@/lib/base/telemetry/log";
import { readBrowserSecret } from "@/lib/http/auth/browser-cookie";
import { COOKIE_KEPT_SECONDS, createSession, SESSION_SECONDS } from "@/lib/http/auth/create-session";
import { decodeCookie } from "@/lib/http/auth/decode-cookie";
import { consumeNonce } from "@/lib/http/auth/nonce";
import { endSession } from "@/lib/http/auth/revoke-session";
import { secureCookies } from "@/lib/http/auth/session-cookie";
import { keepingFailure } from "@/lib/http/auth/sign-in-failure";
import { verifySiwe } from "@/lib/http/auth/verify-siwe";

/**
 * Configures next-auth as the plumbing of Sign-In With Ethereum: it sets an HttpOnly, SameSite=Lax cookie whose token
 * carries our own random session token. Call it at run time only: a build has no environment.
 *
 * @param secret the secret of its CSRF tokens (see {@link csrfSecretOf}). Sessions are always created under
 *   `NEXTAUTH_SECRET`, and also read under the previous one
 */
export function nextAuthOptions(secret: string): NextAuthOptions {
  const { origin } = env();
  const maxAge = SESSION_SECONDS + COOKIE_KEPT_SECONDS;
  return {
    secret,
    jwt: {
      encode: (params) => encode({ ...params, secret: env().nextAuthSecret }),
      decode: ({ token }) => decodeCookie(token ?? ""),
    },
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge, updateAge: maxAge },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [
      CredentialsProvider({
        id: "siwe",
        name: "Ethereum",
        credentials: { message: { type: "text" }, signature: { type: "text" } },
        authorize(credentials, request) {
          return keepingFailure(async () => {
            const { message, signature } = credentials ?? {};
            if (!message || !signature) return null;
            const signer = await verifySiwe({ message, signature }, origin, new Date());
            const headers = new Headers(request.headers as Record<string, string> | undefined);
            const browser = readBrowserSecret(headers.get("cookie"));
            // Checked last, so that only a valid message uses up its nonce.
            if (!signer || !(await consumeNonce(signer.nonce, browser))) return null;
            const from = {
              userAgent: headers.get("user-agent"),
              clientAddress: clientAddressOf(headers),
              onlyOn: signer.onlyOn,
            };
            const token = await createSession(signer.address, from);
            return { id: signer.address, sessionToken: token };
          });
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id, sessionToken: user.sessionToken } : token),
      session: ({ session, token }) => ({ expires: session.expires, user: { name: token.sub } }),
      redirect({ url }) {
        const to = URL.canParse(url, origin) ? new URL(url, origin) : undefined;
        return to?.origin === origin ? to.href : origin;
      },
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sessionToken === "string") await endSession(token.sessionToken);
      },
    },
    logger: {
      error: (code) => log().warn({ code }, "sign-in failed"),
      warn: () => {},
      debug: () => {},
    },
  };
}

/**
 * Returns the secret under which a browser's CSRF token was created. During a rotation, another process may have used
 * the previous or the next `NEXTAUTH_SECRET`. For any other token, returns the current secret.
 */
export function csrfSecretOf(cookies: string | null): string {
  const name = `${secureCookies() ? "__Host-" : ""}next-auth.csrf-token=`;
  const pair = cookies?.split(/; */).find((one) => one.startsWith(name)) ?? "";
  const [token, hash] = pair.slice(name.length).split(/%7C|\|/i);
  const secrets = acceptedNextAuthSecrets();
  const origin = secrets.find((secret) => createHash("sha256").update(`${token}${secret}`).digest("hex") === hash);
  return origin ?? env().nextAuthSecret;
}
