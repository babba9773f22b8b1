// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {Structs} from "./helpers/Structs.sol";
import {vm} from "./helpers/Vm.sol";

/// The fixed structs that the client library hashes too (lib/ledger/prepare/structs.test.ts), hashed as the tests of
/// the ledger sign them.
/// ├── the domain separator
/// └── each struct: struct hash, digest and ctx
contract StructsTest {
    uint256 private constant PAYMENTS = 3;
    string private json = vm.readFile("contracts/test/fixtures/structs.json");
    string private named;

    function test_TheDomainIsTheClients() public view {
        bytes32 separator = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
                ),
                keccak256("Halcyon Ledger"),
                keccak256("2"),
                vm.parseJsonUint(json, ".scope.chainId"),
                vm.parseJsonAddress(json, ".scope.ledger"),
                vm.parseJsonBytes32(json, ".scope.domainSalt")
            )
        );
        vm.assertEq(separator, vm.parseJsonBytes32(json, ".domainSeparator"));
    }

    function test_Enroll() public {
        named = "Enroll";
        vm.assertEq(_number("nonce"), 0);
        _check(
            Structs.enroll(
                ILedger.EnrollParams(
                    _address("account"),
                    _hash("viewingKey"),
                    _address("paymentKey"),
                    _u64("paymentKeyUntil"),
                    "preimage of encryptedAccountKeyHash",
                    _u64("deadline")
                )
            )
        );
    }

    function test_EnrollAgent() public {
        named = "EnrollAgent";
        vm.assertEq(_number("nonce"), 0);
        _check(Structs.enrollAgent(_address("agent"), _address("owner"), _u64("deadline")));
    }

    function test_SetPaymentKey() public {
        named = "SetPaymentKey";
        _check(
            Structs.setPaymentKey(
                _address("account"), _address("paymentKey"), _u64("paymentKeyUntil"), _u64("nonce"), _u64("deadline")
            )
        );
    }

    function test_SetGuarded() public {
        named = "SetGuarded";
        _check(Structs.setGuarded(_address("account"), _flag("guarded"), _u64("nonce"), _u64("deadline")));
    }

    function test_Abandon() public {
        named = "Abandon";
        _check(
            Structs.abandon(
                _address("account"), _address("asset"), _number("oldAvailable"), _u64("nonce"), _u64("deadline")
            )
        );
    }

    function test_SetAgentSigner() public {
        named = "SetAgentSigner";
        uint256[] memory numbers = vm.parseJsonUintArray(json, _path("policyVersions"));
        uint64[] memory versions = new uint64[](numbers.length);
        for (uint256 i = 0; i < numbers.length; ++i) {
            versions[i] = uint64(numbers[i]);
        }
        ILedger.AgentSignerParams memory p;
        (p.owner, p.until, p.deadline) = (_address("owner"), _u64("until"), _u64("deadline"));
        p.agents = vm.parseJsonAddressArray(json, _path("agents"));
        p.signers = vm.parseJsonAddressArray(json, _path("signers"));
        _check(Structs.setAgentSigner(p, versions));
    }

    function test_SetPolicy() public {
        named = "SetPolicy";
        ILedger.PolicyParams memory p;
        (p.account, p.limited, p.deadline) = (_address("account"), _flag("limited"), _u64("deadline"));
        (p.recipientsRoot, p.documentHash) = (_hash("recipientsRoot"), _hash("documentHash"));
        p.assets = vm.parseJsonAddressArray(json, _path("assets"));
        p.commitments = vm.parseJsonUintArray(json, _path("commitments"));
        _check(Structs.setPolicy(p, _u64("policyVersion")));
    }

    function test_MakeAvailable() public {
        named = "MakeAvailable";
        ILedger.MakeAvailableParams memory p;
        (p.account, p.asset, p.newAvailable) = (_address("account"), _address("asset"), _number("newAvailable"));
        uint256[] memory notes = vm.parseJsonUintArray(json, _path("notes"));
        for (uint256 i = 0; i < 8; ++i) {
            p.notes[i] = notes[i];
        }
        (p.deposited, p.changeNote, p.deadline) = (_u64("deposited"), _number("changeNote"), _u64("deadline"));
        p.ciphertext = _text("ciphertextHash");
        _check(Structs.makeAvailable(p, _number("oldAvailable"), _u64("nonce")));
    }

    function test_Transfer() public {
        named = "Transfer";
        ILedger.TransferParams memory p;
        (p.account, p.to, p.asset) = (_address("account"), _address("to"), _address("asset"));
        (p.newAvailable, p.note, p.deadline) = (_number("newAvailable"), _number("note"), _u64("deadline"));
        (p.recipientCiphertext, p.payerCiphertext) =
            (_text("recipientCiphertextHash"), _text("payerCiphertextHash"));
        _check(Structs.transfer(p, _number("oldAvailable"), _u64("policyVersion")));
    }

    function test_Release() public {
        named = "Release";
        ILedger.ReleaseParams memory p;
        (p.account, p.to, p.asset) = (_address("account"), _address("to"), _address("asset"));
        (p.newAvailable, p.amount, p.deadline) = (_number("newAvailable"), _u64("amount"), _u64("deadline"));
        (p.paymentId, p.payerCiphertext) = (_hash("paymentId"), _text("payerCiphertextHash"));
        _check(Structs.release(p, _number("oldAvailable"), _u64("policyVersion")));
    }

    function test_Spend() public {
        named = "Spend";
        ILedger.SpendParams memory p;
        (p.account, p.to, p.asset) = (_address("account"), _address("to"), _address("asset"));
        (p.newAvailable, p.note, p.deadline) = (_number("newAvailable"), _number("note"), _u64("deadline"));
        (p.mode, p.day, p.encryptedAmount) = (uint8(_number("mode")), uint32(_number("day")), _number("encryptedAmount"));
        (p.recipientCiphertext, p.payerCiphertext) =
            (_text("recipientCiphertextHash"), _text("payerCiphertextHash"));
        _check(Structs.spend(p, _number("oldAvailable"), _u64("policyVersion")));
    }

    function test_SpendPublic() public {
        named = "SpendPublic";
        ILedger.SpendPublicParams memory p;
        (p.account, p.to, p.asset) = (_address("account"), _address("to"), _address("asset"));
        (p.newAvailable, p.amount, p.deadline) = (_number("newAvailable"), _u64("amount"), _u64("deadline"));
        (p.mode, p.day) = (uint8(_number("mode")), uint32(_number("day")));
        (p.paymentId, p.payerCiphertext) = (_hash("paymentId"), _text("payerCiphertextHash"));
        _check(Structs.spendPublic(p, _number("oldAvailable"), _u64("policyVersion")));
    }

    function test_TransferMany() public {
        named = "TransferMany";
        ILedger.TransferManyParams memory p;
        (p.account, p.asset, p.newAvailable) = (_address("account"), _address("asset"), _number("newAvailable"));
        p.deadline = _u64("deadline");
        bytes memory copy = bytes.concat("preimage of payerCiphertextHash", new bytes(512));
        for (uint256 i = 0; i < 16; ++i) {
            p.payerCiphertext[i] = _wordAt(copy, i);
        }
        p.payments = new ILedger.Payment[](PAYMENTS);
        for (uint256 i = 0; i < PAYMENTS; ++i) {
            string memory place = string.concat("payments[", vm.toString(i), "].");
            p.payments[i] = ILedger.Payment(
                _address(string.concat(place, "to")),
                _number(string.concat(place, "note")),
                _text(string.concat("payments.", vm.toString(i), ".recipientCiphertextHash"))
            );
        }
        _check(Structs.transferMany(p, _number("oldAvailable"), _u64("policyVersion")));
    }

    function test_Fund() public {
        named = "Fund";
        ILedger.FundParams memory p;
        (p.from, p.to, p.asset) = (_address("from"), _address("to"), _address("asset"));
        (p.fromNewAvailable, p.toNewAvailable) = (_number("fromNewAvailable"), _number("toNewAvailable"));
        (p.paymentId, p.deadline) = (_hash("paymentId"), _u64("deadline"));
        (p.fromCiphertext, p.toCiphertext) = (_text("fromCiphertextHash"), _text("toCiphertextHash"));
        _check(Structs.fund(p, _number("fromOldAvailable"), _number("toOldAvailable")));
    }

    function _check(bytes32 structHash) private view {
        string memory place = string.concat(".structs.", named);
        vm.assertEq(structHash, vm.parseJsonBytes32(json, string.concat(place, ".structHash")));
        bytes32 separator = vm.parseJsonBytes32(json, ".domainSeparator");
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", separator, structHash));
        vm.assertEq(digest, vm.parseJsonBytes32(json, string.concat(place, ".digest")));
        uint256 ctx = uint256(digest) % FIELD_ORDER;
        vm.assertEq(ctx, uint256(vm.parseJsonBytes32(json, string.concat(place, ".ctx"))));
    }

    function _path(string memory field) private view returns (string memory) {
        return string.concat(".structs.", named, ".message.", field);
    }

    function _address(string memory field) private view returns (address) {
        return vm.parseJsonAddress(json, _path(field));
    }

    function _hash(string memory field) private view returns (bytes32) {
        return vm.parseJsonBytes32(json, _path(field));
    }

    function _number(string memory field) private view returns (uint256) {
        return vm.parseJsonUint(json, _path(field));
    }

    function _u64(string memory field) private view returns (uint64) {
        return uint64(_number(field));
    }

    function _flag(string memory field) private view returns (bool) {
        return vm.parseJsonBool(json, _path(field));
    }

    /// What a ciphertext was for its hash to be the fixture's.
    function _text(string memory field) private pure returns (bytes32[4] memory words) {
        bytes memory copy = bytes.concat("preimage of ", bytes(field), new bytes(128));
        for (uint256 i = 0; i < 4; ++i) {
            words[i] = _wordAt(copy, i);
        }
    }

    function _wordAt(bytes memory data, uint256 index) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), shl(5, index)))
        }
    }
}
