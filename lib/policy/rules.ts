import type { Kind, RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";
import {
  activeHours,
  activeHoursReference,
  activeHoursService,
  activeHoursWords,
} from "@/lib/policy/rules/active-hours";
import {
  allowedRecipients,
  allowedRecipientsReference,
  allowedRecipientsService,
  allowedRecipientsWords,
} from "@/lib/policy/rules/allowed-recipients";
import {
  assetLimits,
  assetLimitsReference,
  assetLimitsService,
  assetLimitsWords,
} from "@/lib/policy/rules/asset-limits";
import { assets, assetsReference, assetsService, assetsWords } from "@/lib/policy/rules/assets";
import { dailyLimit, dailyLimitReference, dailyLimitService, dailyLimitWords } from "@/lib/policy/rules/daily-limit";
import {
  hitlThreshold,
  hitlThresholdReference,
  hitlThresholdService,
  hitlThresholdWords,
} from "@/lib/policy/rules/hitl-threshold";
import {
  monthlyLimit,
  monthlyLimitReference,
  monthlyLimitService,
  monthlyLimitWords,
} from "@/lib/policy/rules/monthly-limit";
import {
  paymentsPerDay,
  paymentsPerDayReference,
  paymentsPerDayService,
  paymentsPerDayWords,
} from "@/lib/policy/rules/payments-per-day";
import {
  paymentsPerHour,
  paymentsPerHourReference,
  paymentsPerHourService,
  paymentsPerHourWords,
} from "@/lib/policy/rules/payments-per-hour";
import {
  perTransactionLimit,
  perTransactionLimitReference,
  perTransactionLimitService,
  perTransactionLimitWords,
} from "@/lib/policy/rules/per-transaction-limit";
import {
  publicPayments,
  publicPaymentsReference,
  publicPaymentsService,
  publicPaymentsWords,
} from "@/lib/policy/rules/public-payments";
import {
  recipientLimits,
  recipientLimitsReference,
  recipientLimitsService,
  recipientLimitsWords,
} from "@/lib/policy/rules/recipient-limits";
import { timeZone, timeZoneReference, timeZoneService, timeZoneWords } from "@/lib/policy/rules/time-zone";

/*
 * Every rule of a policy, four times: a program contains only the lists that it uses, and the SDK in a browser has no
 * use for words. A rule that lacks one of them does not compile.
 */

/** The rules in the order of the API's fields. */
export const RULES = [
  dailyLimit,
  perTransactionLimit,
  allowedRecipients,
  assets,
  activeHours,
  hitlThreshold,
  timeZone,
  assetLimits,
  monthlyLimit,
  paymentsPerHour,
  paymentsPerDay,
  recipientLimits,
  publicPayments,
] as const satisfies readonly RuleDeclaration<string, string, Kind>[];

/** One of the rules. */
export type AnyRule = (typeof RULES)[number];
type Field = AnyRule["field"];

/** How the service enforces each rule. Checks of one stage come in this order. */
export const SERVICE = {
  daily_limit_usdg: dailyLimitService,
  per_transaction_limit_usdg: perTransactionLimitService,
  allowed_recipients: allowedRecipientsService,
  assets: assetsService,
  active_hours: activeHoursService,
  hitl_threshold_usdg: hitlThresholdService,
  time_zone: timeZoneService,
  limits: assetLimitsService,
  monthly_limit_usdg: monthlyLimitService,
  payments_per_hour: paymentsPerHourService,
  payments_per_day: paymentsPerDayService,
  recipient_limits: recipientLimitsService,
  public_payments: publicPaymentsService,
} satisfies Record<Field, { [K in Kind]: RuleService<K> }[Kind]>;

type ReasonsOf<F extends Field> = keyof (typeof SERVICE)[F]["checks"];
/** The name of a check. */
export type CheckName = { [F in Field]: ReasonsOf<F> }[Field];

/** The words of each rule, in the order in which people read them. */
export const WORDS: { [F in Field]: RuleWords<ReasonsOf<F>> } = {
  daily_limit_usdg: dailyLimitWords,
  per_transaction_limit_usdg: perTransactionLimitWords,
  hitl_threshold_usdg: hitlThresholdWords,
  monthly_limit_usdg: monthlyLimitWords,
  payments_per_hour: paymentsPerHourWords,
  payments_per_day: paymentsPerDayWords,
  allowed_recipients: allowedRecipientsWords,
  recipient_limits: recipientLimitsWords,
  public_payments: publicPaymentsWords,
  assets: assetsWords,
  limits: assetLimitsWords,
  active_hours: activeHoursWords,
  time_zone: timeZoneWords,
};

/** What programs and the command line read of each rule. */
export const REFERENCE: { [F in Field]: RuleReference<Exclude<ReasonsOf<F>, "approval_threshold">> } = {
  daily_limit_usdg: dailyLimitReference,
  per_transaction_limit_usdg: perTransactionLimitReference,
  allowed_recipients: allowedRecipientsReference,
  assets: assetsReference,
  active_hours: activeHoursReference,
  hitl_threshold_usdg: hitlThresholdReference,
  time_zone: timeZoneReference,
  limits: assetLimitsReference,
  monthly_limit_usdg: monthlyLimitReference,
  payments_per_hour: paymentsPerHourReference,
  payments_per_day: paymentsPerDayReference,
  recipient_limits: recipientLimitsReference,
  public_payments: publicPaymentsReference,
};
