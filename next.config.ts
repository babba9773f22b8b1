import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NextConfig } from "next";

/** 330 MB that few need: the operator who configures WalletConnect installs it (docs/design/dashboard.md). */
const WALLETCONNECT = "@walletconnect/ethereum-provider";
const hasWalletConnect = existsSync(join(import.meta.dirname, "node_modules", WALLETCONNECT));

const config: NextConfig = {
  // `npm start` and `npm test` build into a folder named by the hash of the sources, so that neither touches the other.
  distDir: process.env.HALCYON_DIST ?? ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  // Pages and their scripts; the server takes it from the APIs, whose answers are small (server.ts).
  compress: true,
  typedRoutes: false,
  // No page has pictures to make smaller; the server answers nothing at /_next/image (server.ts).
  images: { unoptimized: true },
  experimental: {
    // Node would keep the maps of all server scripts in memory, 200 MB, for the lines of an error's trace. Ours are in
    // the programs that are built beside this (scripts/stack/program.ts).
    turbopackSourceMaps: process.env.NODE_ENV === "development",
    // What the server in front takes (OPEN_BODY_LIMIT): nobody has to sign in for an action.
    serverActions: { bodySizeLimit: "16kb" },
    // Offline, what is being rendered anew waits for the network. Otherwise the page is loaded afresh: it is gone, with
    // its dialog and what that says of a payment, and the vault locks.
    useOffline: true,
  },
  // Every page of the documentation as Markdown, at its own address and `.md`.
  rewrites: async () => [{ source: "/docs/:page*.md", destination: "/docs/markdown/:page*" }],
  // Titles in the head of every page, for everybody: streamed behind it, a page is without a title until its script
  // runs.
  htmlLimitedBots: /.*/,
  turbopack: {
    resolveAlias: hasWalletConnect ? {} : { [WALLETCONNECT]: "./components/wallet/walletconnect-missing.ts" },
  },
  // `npm run typecheck` checks all of the tree, once.
  typescript: { ignoreBuildErrors: true, tsconfigPath: process.env.HALCYON_TSCONFIG ?? "tsconfig.json" },
  serverExternalPackages: ["postgres", "pino", "next-auth"],
};

export default config;
