import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { RELOAD_WITHOUT_SCRIPTS } from "@/components/ui/reload-script";
import { themeOf } from "@/components/ui/theme-of";
import { env } from "@/lib/base/env";
import { GeistMono } from "./fonts";
import { InlineScript } from "./inline-script";
import "./globals.css";

const TITLE = "Halcyon, confidential payments";
const DESCRIPTION = "Payments whose amounts are encrypted on chain and decrypted only by their owners.";

/** Returns the metadata of every page. Includes this installation's origin, because images need absolute addresses. */
export function generateMetadata(): Metadata {
  const image = { url: "/og.png", width: 1200, height: 630, alt: TITLE };
  return {
    metadataBase: new URL(env().origin),
    title: { default: TITLE, template: "%s · Halcyon" },
    description: DESCRIPTION,
    openGraph: { type: "website", siteName: "Halcyon", images: [image] },
    twitter: { card: "summary_large_image", images: [image] },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafaf8" },
    { media: "(prefers-color-scheme: dark)", color: "#0c0e10" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading cookies makes every page render per request, so that its scripts carry the nonce of the response's policy
  // (server.ts).
  const theme = themeOf((await cookies()).get("theme")?.value);
  return (
    <html lang="en" data-theme={theme} className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body className="isolate bg-paper font-sans text-ink antialiased">
        <InlineScript>{RELOAD_WITHOUT_SCRIPTS}</InlineScript>
        {children}
      </body>
    </html>
  );
}
