"""The API's responses about accounts and agents (docs/openapi.json)."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict


class _OwnAccount(TypedDict, total=False):
    key: Dict[str, Any]
    enrolled: str
    viewing_key: Optional[str]
    payment_key: Optional[str]
    payment_key_until: Optional[str]
    encrypted_account_key: Optional[str]
    nonce: str
    guarded: bool
    limited: bool
    policy_version: str
    secret_version: int
    strict: bool
    batch_payments: bool


class Account(_OwnAccount):
    account_id: str
    handle: str
    type: str
    public_key: str
    kyc_status: str
    created_at: str


class Agent(TypedDict):
    account_id: str
    handle: str
    public_key: str
    status: str
    spend_policy_id: str


class _InForce(TypedDict, total=False):
    in_force: str
    ledger: Dict[str, Any]
    operation: Optional[Dict[str, Any]]


class SpendPolicy(_InForce):
    policy_id: str
    daily_limit_usdg: float
    per_transaction_limit_usdg: float
    allowed_recipients: List[str]
    assets: List[str]
    active_hours: str
    hitl_threshold_usdg: float
    time_zone: str
    limits: Dict[str, Any]
    monthly_limit_usdg: Optional[float]
    payments_per_hour: Optional[int]
    payments_per_day: Optional[int]
    recipient_limits: List[Dict[str, Any]]
    public_payments: bool
    updated_at: str
