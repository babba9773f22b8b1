/*
 * What few programs call, in one piece that is loaded with the first such call. A piece for each would divide what they share
 * with one another and with the rest into many small ones, which are larger together.
 */
export { endAgent, replaceAgentKey } from "../account/end-agent";
export { guardState, setGuard } from "../account/guard";
export { rotateBudgetSecret } from "../budget-secret/rotate-budget-secret";
export { clearLimits, getLimits, setLimits } from "../funding/limits";
export { sendMany } from "../payments/send-many";
export { abandon, budgetLoss } from "../recovery/abandon";
export { recover } from "../recovery/recover";
export { stopSpender } from "../recovery/stop-spender";
