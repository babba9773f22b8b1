"use client";

import dynamic from "next/dynamic";
import { useState } from "react";

/** One day more than the warning period. The exact decision is made by code that is then loaded. */
const SOON_MS = 31 * 86_400_000;

/** Needed in one month of a year, so loaded only then. */
const SpenderEnding = dynamic(() => import("./spender-ending").then((module) => module.SpenderEnding));

/**
 * Warns on every page, starting 30 days before the account's payment signing key expires.
 *
 * @param until Unix seconds, as text
 */
export function SpenderNotice({ until }: { until: string }) {
  const [now] = useState(() => Date.now());
  return Number(until) * 1000 - now < SOON_MS ? <SpenderEnding until={until} now={now} /> : null;
}
