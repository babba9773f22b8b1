// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "./Constants.sol";
import {Budgets} from "./Budgets.sol";
import {Groth16} from "./Groth16.sol";
import {Policies} from "./Policies.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Payments of limited accounts.
abstract contract Spends is Budgets, Policies {
    /// @inheritdoc ILedger
    function spend(
        SpendParams calldata params,
        RecipientProof calldata recipient,
        Proof calldata proof,
        bytes calldata signature
    ) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        if (params.sealedAmount >= FIELD_ORDER) revert InvalidSealedAmount(params.sealedAmount);
        _checkPayee(params.account, params.to);
        (uint256 payer, uint64 version) = _payerLimited(params.account);
        Slot storage budget = _budget(params.account, params.asset);
        uint256 oldBudget = _word(budget);
        (uint256 terms, uint256 policy) = _checkTerms(
            params.account, params.to, params.asset, params.mode, params.day, params.deadline, recipient
        );
        bytes32 digest = _digest(StructHashes.spend(params, oldBudget, version));
        _checkMode(payer, params.account, params.mode, digest, signature);
        uint256[7] memory signals = [
            oldBudget,
            params.newBudget,
            params.note,
            policy,
            terms,
            params.sealedAmount,
            uint256(digest) % FIELD_ORDER
        ];
        Groth16.check(spendVerifier, proof, signals);
        // Effects
        budget.word = params.newBudget;
        _openNote(params.to, params.asset, params.note);
        emit Transferred(
            params.account,
            params.to,
            params.asset,
            oldBudget,
            params.newBudget,
            params.note,
            params.recipientCiphertext,
            params.payerCiphertext
        );
        emit Limited(params.account, params.asset, params.newBudget, terms, params.sealedAmount);
    }

    /// @inheritdoc ILedger
    function spendPublic(
        SpendPublicParams calldata params,
        RecipientProof calldata recipient,
        Proof calldata proof,
        bytes calldata signature
    ) external nonReentrant {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        uint256 tokenAmount = _checkRelease(params.to, params.asset, params.amount);
        (uint256 payer, uint64 version) = _payerLimited(params.account);
        Slot storage budget = _budget(params.account, params.asset);
        uint256 oldBudget = _word(budget);
        (uint256 terms, uint256 policy) = _checkTerms(
            params.account, params.to, params.asset, params.mode, params.day, params.deadline, recipient
        );
        bytes32 digest = _digest(StructHashes.spendPublic(params, oldBudget, version));
        _checkMode(payer, params.account, params.mode, digest, signature);
        uint256[6] memory signals =
            [oldBudget, params.newBudget, params.amount, policy, terms, uint256(digest) % FIELD_ORDER];
        Groth16.check(spendPublicVerifier, proof, signals);
        // Effects
        _usePaymentId(params.account, params.paymentId);
        budget.word = params.newBudget;
        emit Released(
            params.account,
            params.to,
            params.asset,
            oldBudget,
            params.newBudget,
            params.amount,
            params.paymentId,
            params.payerCiphertext
        );
        emit Limited(params.account, params.asset, params.newBudget, terms, 0);
        // Interactions
        _pay(params.to, params.asset, tokenAmount);
    }

    function _payerLimited(address account_) private view returns (uint256 payer, uint64 version) {
        bool limited;
        (payer, version, limited) = _payer(account_);
        if (!limited) revert NotLimited(account_);
    }
}
