"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { spenderTime } from "./spender-time";

/** Needed for one month of the year: loaded then. */
const SpenderEnding = dynamic(() => import("./spender-ending").then((module) => module.SpenderEnding));

/**
 * Warns on every page from 30 days before the account's spending key expires.
 *
 * @param until Unix seconds, as text
 */
export function SpenderNotice({ until }: { until: string }) {
  const [now] = useState(() => Date.now());
  return spenderTime(until, now) ? <SpenderEnding until={until} now={now} /> : null;
}
