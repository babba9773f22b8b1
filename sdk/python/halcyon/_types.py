"""The API's responses (docs/openapi.json). Responses can gain fields at any time."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict


class _Encrypted(TypedDict, total=False):
    encrypted: Dict[str, Any]


# `from` is a Python keyword, so it can't be a field name in a class.
_Payer = TypedDict("_Payer", {"from": str})


class _Exact(TypedDict, total=False):
    exact: Dict[str, Any]
    history: Dict[str, Any]


class Transfer(_Encrypted, _Payer, _Exact):
    """`status` is `pending`, `confirmed` or `failed`."""

    transfer_id: str
    status: str
    to: str
    direction: str
    asset: str
    confidential: bool
    tx_hash: str
    created_at: str
    confirmed_at: Optional[str]
    reference: Optional[str]
    refund_of: Optional[str]
    checked: Optional[bool]
    payment_request: Optional[str]
    payout: Optional[str]
    schedule_run: Optional[str]


class _Kind(TypedDict, total=False):
    confidential: bool


class _Decision(_Kind, total=False):
    transfer_id: str
    tx_hash: str


class _Details(_Encrypted, _Decision, total=False):
    decided_at: Optional[str]
    decided_by: Optional[Dict[str, Any]]


class HeldPayment(_Details):
    """`status` is `pending_approval`, `approved`, `rejected` or `expired`. Only `approvals.get` returns the decision."""

    transaction_id: str
    status: str
    agent: str
    to: str
    requested_at: str
    expires_at: str
    reference: Optional[str]
    refund_of: Optional[str]
    payment_request: Optional[str]


class DecidedPayment(_Decision):
    """`status` is `approved` or `rejected`."""

    transaction_id: str
    status: str
    agent: str
    to: str
    decided_at: str


class _Reason(TypedDict, total=False):
    reason: str


class PolicyDecision(_Reason):
    """`outcome` is `allowed`, `held` or `denied`."""

    outcome: str
    rules: List[Dict[str, Any]]


class DryRun(PolicyDecision, _Kind):
    dry_run: bool


class DecisionList(TypedDict):
    decisions: List[PolicyDecision]


class Webhook(TypedDict):
    webhook_id: str
    url: str
    events: List[str]
    enabled: bool
    store_responses: bool
    disabled_reason: Optional[str]
    disabled_at: Optional[str]
    created_at: str


class CreatedWebhook(Webhook):
    secret: str


class RotatedWebhook(CreatedWebhook):
    previous_secret_expires_at: Optional[str]


class DeliveryAttempt(TypedDict):
    attempt: int
    url: str
    attempted_at: str
    duration_ms: int
    response_code: Optional[int]
    response_body: Optional[str]
    error: Optional[str]


class Delivery(TypedDict):
    delivery_id: str
    webhook_id: str
    event_id: str
    event: str
    url: str
    trigger: str
    status: str
    attempt: int
    retry_count: int
    response_code: Optional[int]
    response_body: Optional[str]
    error: Optional[str]
    duration_ms: Optional[int]
    attempted_at: Optional[str]
    attempts: List[DeliveryAttempt]
    next_attempt_at: Optional[str]
    created_at: str


class AdvancedClock(TypedDict):
    advanced_seconds: int
    approvals: int
    deliveries: int
    keys: int


class FailingRecipient(TypedDict):
    to: str


class Redelivery(TypedDict):
    queued: int
    has_more: bool


class AuditEntry(TypedDict):
    id: str
    position: int
    actor: Dict[str, Any]
    action: str
    target: str
    before: Optional[Dict[str, Any]]
    after: Optional[Dict[str, Any]]
    client_address: Optional[str]
    created_at: str
    hash: str
    previous_hash: str


class LoggedRequest(TypedDict):
    request_id: str
    created_at: str
    key_id: str
    key_label: Optional[str]
    method: str
    route: str
    status: int
    error_code: Optional[str]
    duration_ms: int


class _EventFields(TypedDict, total=False):
    asset: str
    confidential: bool
    counterparty: str
    direction: str
    transfer_id: str
    tx_hash: str
    transaction_id: str
    agent: str
    to: str
    requested_at: str
    decided_at: str
    expires_at: str
    changed: List[str]
    policy_id: str
    updated_at: str
    days_left: int
    expired_at: str
    agent_id: str
    payout_id: str
    rows: int
    rows_paid: int
    rows_failed: int
    pause_reason: Optional[str]
    payment_request_id: str
    payment_request: Optional[str]
    reference: Optional[str]
    refund_of: Optional[str]
    amount_checked: bool
    schedule_id: str
    run_id: str
    due_at: str
    window_ends_at: str
    key_id: str
    webhook_id: str
    reason: str


class Event(_EventFields):
    """`event` is the type, which determines the other fields."""

    event: str
    event_id: str
    account: str
    timestamp: str
