import type { Verb } from "./client-action";
import { SIGNING } from "./client-authority";
import { PAYING_BLIND } from "./client-blind";
import { COMMANDS, PAYING_COMMANDS } from "./client-commands";
import { PAYING_MONEY } from "./client-payments";
import { REPORTS } from "./client-reports";

/** What the client signs: what moves money, and what sets who may. */
export const PAYING: readonly Verb[] = [...PAYING_MONEY, ...PAYING_BLIND, ...SIGNING, ...PAYING_COMMANDS];

/** What reports money. */
export const REPORTING: readonly Verb[] = [...REPORTS, ...COMMANDS];
