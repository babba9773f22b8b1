import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { readBrowserSecret } from "@/lib/auth/browser-cookie";
import { createSession, SESSION_SECONDS } from "@/lib/auth/create-session";
import { consumeNonce } from "@/lib/auth/nonce";
import { endSession } from "@/lib/auth/revoke-session";
import { secureCookies } from "@/lib/auth/session-cookie";
import { verifySiwe } from "@/lib/auth/verify-siwe";
import { clientAddressOf } from "@/lib/client-address";
import { env } from "@/lib/env";
import { log } from "@/lib/telemetry/log";

/**
 * next-auth as plumbing for Sign-In With Ethereum: it sets an HttpOnly, SameSite=Lax cookie whose token carries our
 * own random session token. Made at first use: a build has no environment.
 */
export function nextAuthOptions(): NextAuthOptions {
  const { origin, nextAuthSecret } = env();
  return {
    secret: nextAuthSecret,
    useSecureCookies: secureCookies(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS, updateAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [
      CredentialsProvider({
        id: "siwe",
        name: "Ethereum",
        credentials: { message: { type: "text" }, signature: { type: "text" } },
        async authorize(credentials, request) {
          const { message, signature } = credentials ?? {};
          if (!message || !signature) return null;
          const signer = await verifySiwe({ message, signature }, origin, new Date());
          const headers = new Headers(request.headers as Record<string, string> | undefined);
          const browser = readBrowserSecret(headers.get("cookie"));
          // Last, so that only a good message uses up its nonce.
          if (!signer || !(await consumeNonce(signer.nonce, browser))) return null;
          const from = {
            userAgent: headers.get("user-agent"),
            clientAddress: clientAddressOf(headers),
            onlyOn: signer.onlyOn,
          };
          const token = await createSession(signer.address, from);
          return { id: signer.address, sessionToken: token };
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
