// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "./Constants.sol";
import {AvailableBalances} from "./AvailableBalances.sol";
import {Groth16} from "./Groth16.sol";
import {Policies} from "./Policies.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Payments of limited accounts.
abstract contract Spends is AvailableBalances, Policies {
    /// @inheritdoc ILedger
    function spend(
        SpendParams calldata params,
        RecipientProof calldata recipient,
        Proof calldata proof,
        bytes calldata signature
    ) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewAvailable(params.newAvailable);
        if (params.encryptedAmount >= FIELD_ORDER) revert InvalidEncryptedAmount(params.encryptedAmount);
        _checkPayee(params.account, params.to);
        (uint256 payer, uint64 version) = _payerLimited(params.account);
        Slot storage available = _available(params.account, params.asset);
        uint256 oldAvailable = _commitmentOf(available);
        (uint256 terms, uint256 policy) = _checkTerms(
            params.account, params.to, params.asset, params.mode, params.day, params.deadline, recipient
        );
        bytes32 digest = _digest(StructHashes.spend(params, oldAvailable, version));
        _checkMode(payer, params.account, params.mode, digest, signature);
        uint256[7] memory signals = [
            oldAvailable,
            params.newAvailable,
            params.note,
            policy,
            terms,
            params.encryptedAmount,
            uint256(digest) % FIELD_ORDER
        ];
        Groth16.check(spendVerifier, proof, signals);
        // Effects
        available.value = params.newAvailable;
        _openNote(params.to, params.asset, params.note);
        emit Transferred(
            params.account,
            params.to,
            params.asset,
            oldAvailable,
            params.newAvailable,
            params.note,
            params.recipientCiphertext,
            params.payerCiphertext
        );
        emit Limited(params.account, params.asset, params.newAvailable, terms, params.encryptedAmount);
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
        _checkNewAvailable(params.newAvailable);
        uint256 tokenAmount = _checkRelease(params.to, params.asset, params.amount);
        (uint256 payer, uint64 version) = _payerLimited(params.account);
        Slot storage available = _available(params.account, params.asset);
        uint256 oldAvailable = _commitmentOf(available);
        (uint256 terms, uint256 policy) = _checkTerms(
            params.account, params.to, params.asset, params.mode, params.day, params.deadline, recipient
        );
        bytes32 digest = _digest(StructHashes.spendPublic(params, oldAvailable, version));
        _checkMode(payer, params.account, params.mode, digest, signature);
        uint256[6] memory signals =
            [oldAvailable, params.newAvailable, params.amount, policy, terms, uint256(digest) % FIELD_ORDER];
        Groth16.check(spendPublicVerifier, proof, signals);
        // Effects
        _usePaymentId(params.account, params.paymentId);
        available.value = params.newAvailable;
        emit Released(
            params.account,
            params.to,
            params.asset,
            oldAvailable,
            params.newAvailable,
            params.amount,
            params.paymentId,
            params.payerCiphertext
        );
        emit Limited(params.account, params.asset, params.newAvailable, terms, 0);
        // Interactions
        _pay(params.to, params.asset, tokenAmount);
    }

    function _payerLimited(address account_) private view returns (uint256 payer, uint64 version) {
        bool limited;
        (payer, version, limited) = _payer(account_);
        if (!limited) revert NotLimited(account_);
    }
}
