"use client";

import dynamic from "next/dynamic";
import { useState } from "react";

/** A day more than the warning lasts: what decides is loaded with it. */
const SOON_MS = 31 * 86_400_000;

/** Needed for one month of the year: loaded then. */
const SpenderEnding = dynamic(() => import("./spender-ending").then((module) => module.SpenderEnding));

/**
 * Warns on every page from 30 days before the account's spending key expires.
 *
 * @param until Unix seconds, as text
 */
export function SpenderNotice({ until }: { until: string }) {
  const [now] = useState(() => Date.now());
  return Number(until) * 1000 - now < SOON_MS ? <SpenderEnding until={until} now={now} /> : null;
}
