// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AvailableBalances} from "./AvailableBalances.sol";
import {Payments} from "./Payments.sol";
import {Spends} from "./Spends.sol";
import {VerifierSet} from "./Verifiers.sol";

/// @title Ledger
/// @notice Available balances, notes and policies. No upgrade, no pause, no key that moves money. See {ILedger}.
/// @dev Checks, effects, interactions, in that order.
contract Ledger is Payments, Spends {
    constructor(address owner, VerifierSet memory verifiers) AvailableBalances(owner, verifiers) {}
}
