// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Budgets} from "./Budgets.sol";
import {Payments} from "./Payments.sol";
import {Spends} from "./Spends.sol";
import {VerifierSet} from "./Verifiers.sol";

/// @title Ledger
/// @notice Budgets, notes and policies. No upgrade, no pause, no key that moves money. See {ILedger}.
/// @dev Checks, effects, interactions, in that order.
contract Ledger is Payments, Spends {
    constructor(address owner, VerifierSet memory verifiers) Budgets(owner, verifiers) {}
}
