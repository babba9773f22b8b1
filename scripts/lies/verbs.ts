import { COMMANDS, PAYING_COMMANDS } from "./commands";
import { PAYING_MONEY } from "./paying";
import { REPORTS } from "./reporting";
import { SIGNING } from "./signing";
import type { Verb } from "./verb";

/** What the client signs: what moves money, and what sets who may. */
export const PAYING: readonly Verb[] = [...PAYING_MONEY, ...SIGNING, ...PAYING_COMMANDS];

/** What reports money. */
export const REPORTING: readonly Verb[] = [...REPORTS, ...COMMANDS];
