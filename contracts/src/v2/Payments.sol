// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE, FIELD_ORDER} from "../Constants.sol";
import {Budgets} from "./Budgets.sol";
import {Groth16} from "./Groth16.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Payments under no policy, one or many, and moves between an owner and its agents.
abstract contract Payments is Budgets {
    uint256 private constant MOST_PAYMENTS = 16;

    /// @inheritdoc ILedger
    function transfer(TransferParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        _checkPayee(params.account, params.to);
        uint64 version = _checkNotRuled(params.account);
        uint256 oldBudget = budgetOf(params.account, params.asset);
        bytes32 digest = _digest(StructHashes.transfer(params, oldBudget, version));
        _checkWalletOrSpender(params.account, digest, signature);
        uint256[4] memory signals = [oldBudget, params.newBudget, params.note, uint256(digest) % FIELD_ORDER];
        Groth16.check(transferVerifier, proof, signals);
        // Effects
        _setBudget(params.account, params.asset, params.newBudget);
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
    }

    /// @inheritdoc ILedger
    function release(ReleaseParams calldata params, Proof calldata proof, bytes calldata signature)
        external
        nonReentrant
    {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        uint256 tokenAmount = _checkRelease(params.to, params.asset, params.amount);
        uint64 version = _checkNotRuled(params.account);
        uint256 oldBudget = budgetOf(params.account, params.asset);
        bytes32 digest = _digest(StructHashes.release(params, oldBudget, version));
        _checkWalletOrSpender(params.account, digest, signature);
        uint256[4] memory signals = [oldBudget, params.newBudget, params.amount, uint256(digest) % FIELD_ORDER];
        Groth16.check(releaseVerifier, proof, signals);
        // Effects
        _usePaymentId(params.account, params.paymentId);
        _setBudget(params.account, params.asset, params.newBudget);
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
        // Interactions
        _pay(params.to, params.asset, tokenAmount);
    }

    /// @inheritdoc ILedger
    function transferMany(TransferManyParams calldata params, Proof calldata proof, bytes calldata signature)
        external
    {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        (uint64 version, bool ruled) = _policyState(params.account);
        uint256 oldBudget = budgetOf(params.account, params.asset);
        uint256[19] memory signals = _payManySignals(params, oldBudget);
        bytes32 digest = _digest(StructHashes.transferMany(params, oldBudget, version));
        if (ruled) _checkWallet(params.account, _walletOf(params.account), digest, signature);
        else _checkWalletOrSpender(params.account, digest, signature);
        signals[18] = uint256(digest) % FIELD_ORDER;
        Groth16.check(payManyVerifier, proof, signals);
        // Effects (each note is opened before the next is looked at: a batch holds none twice)
        _setBudget(params.account, params.asset, params.newBudget);
        emit BatchTransferred(params.account, params.asset, oldBudget, params.newBudget, params.payerCiphertext);
        for (uint256 i = 0; i < params.payments.length; ++i) {
            Payment calldata payment = params.payments[i];
            _openNote(payment.to, params.asset, payment.note);
            emit Paid(params.account, payment.to, params.asset, payment.note, payment.recipientCiphertext);
        }
    }

    /// @inheritdoc ILedger
    function fund(FundParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.fromNewBudget);
        _checkNewBudget(params.toNewBudget);
        if (params.from == params.to) revert PaymentToSelf(params.from);
        address owner = _ownerOfPair(params.from, params.to);
        uint256 fromOldBudget = budgetOf(params.from, params.asset);
        uint256 toOldBudget = budgetOf(params.to, params.asset);
        bytes32 digest = _digest(StructHashes.fund(params, fromOldBudget, toOldBudget));
        _checkOwner(owner, digest, signature);
        uint256[5] memory signals = [
            fromOldBudget, params.fromNewBudget, toOldBudget, params.toNewBudget, uint256(digest) % FIELD_ORDER
        ];
        Groth16.check(fundVerifier, proof, signals);
        // Effects
        _usePaymentId(owner, params.paymentId);
        _setBudget(params.from, params.asset, params.fromNewBudget);
        _setBudget(params.to, params.asset, params.toNewBudget);
        emit Funded(
            params.from,
            params.to,
            params.asset,
            fromOldBudget,
            params.fromNewBudget,
            toOldBudget,
            params.toNewBudget,
            params.paymentId,
            params.fromCiphertext,
            params.toCiphertext
        );
    }

    function _checkNotRuled(address account_) private view returns (uint64 version) {
        bool ruled;
        (version, ruled) = _policyState(account_);
        if (ruled) revert AccountIsRuled(account_);
    }

    /// Also checks how many payments there are and who gets them. The last signal is left for ctx.
    function _payManySignals(TransferManyParams calldata params, uint256 oldBudget)
        private
        view
        returns (uint256[19] memory signals)
    {
        uint256 count = params.payments.length;
        if (count < 2 || count > MOST_PAYMENTS) revert InvalidCount(count);
        signals[0] = oldBudget;
        signals[1] = params.newBudget;
        for (uint256 i = 0; i < MOST_PAYMENTS; ++i) {
            signals[i + 2] = EMPTY_NOTE;
            if (i >= count) continue;
            _checkPayee(params.account, params.payments[i].to);
            signals[i + 2] = params.payments[i].note;
        }
    }
}
