// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IReceiveWithAuthorization} from "../interfaces/IReceiveWithAuthorization.sol";
import {Signatures} from "../libraries/Signatures.sol";

/// @title A token with ERC-3009 that has the name and the decimals that the test gives. For tests only.
contract NamedToken is ERC20, ERC3009, IReceiveWithAuthorization {
    uint8 private immutable _decimals;
    /// @notice Whether it answers ERC-5267, as Circle's does not.
    bool private immutable _tellsDomain;
    string private _toldVersion;

    error NotTold();

    /// @param toldVersion what {version} answers; false if the token signs with another one
    constructor(string memory name_, string memory version_, string memory toldVersion, uint8 decimals_, bool tellsDomain)
        ERC20(name_, "USDC")
        EIP712(name_, version_)
    {
        _decimals = decimals_;
        _toldVersion = toldVersion;
        _tellsDomain = tellsDomain;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc IReceiveWithAuthorization
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        if (to != msg.sender) revert ERC20InvalidReceiver(to);
        bytes32 structHash = keccak256(
            abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        if (!Signatures.isSignedBy(from, _hashTypedDataV4(structHash), signature)) revert ERC3009InvalidSignature();
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    function version() external view returns (string memory) {
        return _toldVersion;
    }

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    function eip712Domain()
        public
        view
        override
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        if (!_tellsDomain) revert NotTold();
        return super.eip712Domain();
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
