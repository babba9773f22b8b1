// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {Structs} from "./Structs.sol";
import {vm} from "./Vm.sol";

/// Signs the ledger's structs over the state as it is. Call it before `expectRevert` and `prank`: it reads the ledger.
abstract contract StructSigner {
    ILedger internal ledger;
    bytes32 internal separator;

    function _digest(bytes32 structHash) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    function _sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, _digest(structHash));
        return abi.encodePacked(r, s, v);
    }

    function _version(address who) internal view returns (uint64) {
        return ledger.account(who).policyVersion;
    }

    function _signEnroll(uint256 key, ILedger.EnrollParams memory p) internal view returns (bytes memory) {
        return _sign(key, Structs.enroll(p));
    }

    function _signEnrollAgent(uint256 key, address agent, address owner, uint64 deadline)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, Structs.enrollAgent(agent, owner, deadline));
    }

    function _signMakeAvailable(uint256 key, ILedger.MakeAvailableParams memory p, uint256 oldAvailable, uint64 nonce)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, Structs.makeAvailable(p, oldAvailable, nonce));
    }

    function _hash(ILedger.PolicyParams memory p) internal view returns (bytes32) {
        return Structs.setPolicy(p, _version(p.account));
    }

    function _hash(ILedger.AgentSignerParams memory p) internal view returns (bytes32) {
        uint64[] memory versions = new uint64[](p.agents.length);
        for (uint256 i = 0; i < versions.length; ++i) {
            versions[i] = _version(p.agents[i]);
        }
        return Structs.setAgentSigner(p, versions);
    }

    function _hash(ILedger.MakeAvailableParams memory p) internal view returns (bytes32) {
        return Structs.makeAvailable(p, ledger.availableOf(p.account, p.asset), ledger.account(p.account).nonce);
    }

    function _hash(ILedger.TransferParams memory p) internal view returns (bytes32) {
        return Structs.transfer(p, ledger.availableOf(p.account, p.asset), _version(p.account));
    }

    function _hash(ILedger.ReleaseParams memory p) internal view returns (bytes32) {
        return Structs.release(p, ledger.availableOf(p.account, p.asset), _version(p.account));
    }

    function _hash(ILedger.SpendParams memory p) internal view returns (bytes32) {
        return Structs.spend(p, ledger.availableOf(p.account, p.asset), _version(p.account));
    }

    function _hash(ILedger.SpendPublicParams memory p) internal view returns (bytes32) {
        return Structs.spendPublic(p, ledger.availableOf(p.account, p.asset), _version(p.account));
    }

    function _hash(ILedger.TransferManyParams memory p) internal view returns (bytes32) {
        return Structs.transferMany(p, ledger.availableOf(p.account, p.asset), _version(p.account));
    }

    function _hash(ILedger.FundParams memory p) internal view returns (bytes32) {
        return Structs.fund(p, ledger.availableOf(p.from, p.asset), ledger.availableOf(p.to, p.asset));
    }

    function _signTransfer(uint256 key, ILedger.TransferParams memory p, uint256 oldAvailable)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, Structs.transfer(p, oldAvailable, _version(p.account)));
    }

    function _signRelease(uint256 key, ILedger.ReleaseParams memory p, uint256 oldAvailable)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, Structs.release(p, oldAvailable, _version(p.account)));
    }

    function _signFund(uint256 key, ILedger.FundParams memory p, uint256 fromOldAvailable, uint256 toOldAvailable)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, Structs.fund(p, fromOldAvailable, toOldAvailable));
    }
}
